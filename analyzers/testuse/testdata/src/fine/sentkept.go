package fine

import (
	"context"
	"net"
	"sync"
)

func tensAnew(in chan int, out chan []int) {
	var ten []int
	for x := range in {
		ten = append(ten, x)
		if len(ten) == 10 {
			out <- ten
			ten = nil
		}
	}
}

func tensAnswered(in chan int, out chan []int, done chan bool) {
	var ten []int
	for x := range in {
		ten = append(ten, x)
		if len(ten) == 10 {
			out <- ten
			<-done
			ten = ten[:0]
		}
	}
}

func tensAwaited(in chan int, add func([]int)) {
	var ten []int
	var group sync.WaitGroup
	for x := range in {
		ten = append(ten, x)
		if len(ten) == 10 {
			group.Add(1)
			go func() {
				defer group.Done()
				add(ten)
			}()
			group.Wait()
			ten = ten[:0]
		}
	}
}

type parcelOfBytes struct {
	data []byte
	from net.Addr
}

func receiveAnswered(c net.PacketConn, out chan parcelOfBytes, free chan bool) {
	buf := make([]byte, 1500)
	for {
		<-free
		n, from, err := c.ReadFrom(buf)
		if err != nil {
			return
		}
		out <- parcelOfBytes{buf[:n], from}
	}
}

func receiveAnew(ctx context.Context, c net.PacketConn, out chan parcelOfBytes) {
	for {
		buf := make([]byte, 1500)
		n, from, err := c.ReadFrom(buf)
		if err != nil {
			return
		}
		select {
		case out <- parcelOfBytes{buf[:n], from}:
		case <-ctx.Done():
			return
		}
	}
}

func receiveCopies(c net.PacketConn, out chan []byte) {
	buf := make([]byte, 1500)
	for {
		n, _, err := c.ReadFrom(buf)
		if err != nil {
			return
		}
		b := make([]byte, n)
		copy(b, buf[:n])
		out <- b
	}
}

func receiveFirst(c net.PacketConn, out chan []byte) {
	buf := make([]byte, 1500)
	for {
		n, _, err := c.ReadFrom(buf)
		if err == nil {
			out <- buf[:n]
			return
		}
	}
}

func receiveSwapped(c net.PacketConn, out chan []byte, back chan []byte) {
	buf := make([]byte, 1500)
	for {
		n, _, err := c.ReadFrom(buf)
		if err != nil {
			return
		}
		select {
		case out <- buf[:n]:
			buf = <-back
		default:
		}
	}
}
