// Echo runs an echo server on the loopback interface and ten clients that send
// it twenty requests each, and checks that the server's statistics agree with
// what the clients sent.
//
// The four statistics that server.answer keeps from the goroutine of every
// connection are atomic, and each is changed by one atomic operation.
package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"log"
	"net"
	"os"
	"sync"
	"sync/atomic"
)

const (
	clients  = 10
	requests = 20
)

type server struct {
	requests atomic.Int64  // answered so far
	bytes    atomic.Int64  // received so far
	checksum atomic.Uint32 // sum over all messages: their order is no matter
	inFlight atomic.Int64  // received and not yet answered

	conns sync.WaitGroup
}

func (s *server) serve(l net.Listener) {
	for range clients {
		conn, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		s.conns.Go(func() {
			defer conn.Close()
			in := bufio.NewReader(conn)
			for {
				line, err := in.ReadBytes('\n')
				if err != nil {
					return // the client has hung up
				}
				if err := s.answer(conn, line); err != nil {
					log.Fatal(err)
				}
			}
		})
	}
}

func (s *server) answer(conn net.Conn, line []byte) error {
	s.inFlight.Add(1)
	s.bytes.Add(int64(len(line)))
	s.checksum.Add(crc32.ChecksumIEEE(line))
	_, err := conn.Write(line)
	s.requests.Add(1)
	s.inFlight.Add(-1)
	return err
}

func message(client, n int) string {
	return fmt.Sprintf("client %d, request %d: %0*d\n", client, n, 8+n%16, n*n)
}

func client(number int, addr string) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for n := range requests {
		sent := message(number, n)
		if _, err := conn.Write([]byte(sent)); err != nil {
			return err
		}
		back, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		if back != sent {
			return fmt.Errorf("client %d: sent %q, got %q", number, sent, back)
		}
	}
	return nil
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	s := new(server)
	s.conns.Go(func() { s.serve(l) })

	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() {
			if err := client(i, l.Addr().String()); err != nil {
				log.Fatal(err)
			}
		})
	}
	running.Wait()
	s.conns.Wait()

	bytes, sum := int64(0), uint32(0)
	for i := range clients {
		for n := range requests {
			bytes += int64(len(message(i, n)))
			sum += crc32.ChecksumIEEE([]byte(message(i, n)))
		}
	}
	if s.requests.Load() != clients*requests || s.bytes.Load() != bytes || s.checksum.Load() != sum || s.inFlight.Load() != 0 {
		fmt.Printf("WRONG: the server counted %d requests, %d bytes, checksum %08x, %d in flight; expected %d, %d, %08x, 0\n",
			s.requests.Load(), s.bytes.Load(), s.checksum.Load(), s.inFlight.Load(), clients*requests, bytes, sum)
		os.Exit(1)
	}
	fmt.Printf("ok: %d requests, %d bytes, checksum %08x\n", s.requests.Load(), s.bytes.Load(), s.checksum.Load())
}
