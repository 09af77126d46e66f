// Echo runs an echo server on the loopback interface and ten clients that send
// it forty requests each, and checks that the server's statistics agree with
// what the clients sent.
//
// Broken: server.answer keeps four statistics (requests, bytes, checksum,
// inFlight) from the goroutine of every connection with no lock. For each of
// them "read, change, write" is expected to be one step.
package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"log"
	"net"
	"os"
	"sync"
)

const (
	clients  = 10
	requests = 40
)

type server struct {
	requests int    // answered so far
	bytes    int    // received so far
	checksum uint32 // exclusive or over all messages: their order is no matter
	inFlight int    // received and not yet answered

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
	s.inFlight++
	s.bytes += len(line)
	s.checksum ^= crc32.ChecksumIEEE(line)
	_, err := conn.Write(line)
	s.requests++
	s.inFlight--
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

	bytes, checksum := 0, uint32(0)
	for i := range clients {
		for n := range requests {
			bytes += len(message(i, n))
			checksum ^= crc32.ChecksumIEEE([]byte(message(i, n)))
		}
	}
	if s.requests != clients*requests || s.bytes != bytes || s.checksum != checksum || s.inFlight != 0 {
		fmt.Printf("WRONG: the server counted %d requests, %d bytes, checksum %08x, %d in flight; expected %d, %d, %08x, 0\n",
			s.requests, s.bytes, s.checksum, s.inFlight, clients*requests, bytes, checksum)
		os.Exit(1)
	}
	fmt.Printf("ok: %d requests, %d bytes, checksum %08x\n", s.requests, s.bytes, s.checksum)
}
