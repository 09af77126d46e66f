package broken

import (
	"context"
	"net"
	"sync"
)

// Printout collects lines and hands them on by the page.
type Printout struct {
	mu    sync.Mutex
	pages chan []string
	lines []string
}

func NewPrintout(pages chan []string) *Printout {
	p := &Printout{pages: pages}
	go p.Page()
	return p
}

func (p *Printout) Print(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, line)
}

func (p *Printout) Page() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn()
}

func (p *Printout) turn() {
	p.pages <- p.lines // want `p\.lines is handed to another goroutine as it is, not a copy, and p\.lines\[:0\] keeps its array: what is appended next overwrites what that one uses`
	p.lines = p.lines[:0]
}

func byTens(in chan int, out chan []int) {
	var ten []int
	for x := range in {
		ten = append(ten, x)
		if len(ten) == 10 {
			out <- ten // want `ten is handed to another goroutine as it is, not a copy, and ten\[:0\] keeps its array`
			ten = ten[:0]
		}
	}
	out <- ten
}

func addUp([]int) {}

func startTens(in chan int) {
	var ten []int
	for x := range in {
		ten = append(ten, x)
		if len(ten) == 10 {
			go addUp(ten) // want `ten is handed to another goroutine as it is, not a copy, and ten\[:0\] keeps its array`
			ten = ten[:0]
		}
	}
}

type datagram struct {
	data []byte
	from net.Addr
}

type datagramReader interface {
	ReadFrom(b []byte) (n int, from net.Addr, err error)
}

func unpack([]byte) {}

// receiveAll runs in a goroutine of its own.
func receiveAll(ctx context.Context, c datagramReader, out chan<- datagram) {
	buf := make([]byte, 1500)
	for {
		n, from, err := c.ReadFrom(buf)
		if err != nil {
			return
		}
		select {
		case out <- datagram{buf[:n], from}: // want `buf\[:n\] is handed to another goroutine as it is, not a copy, and the next round reads into the array of buf while that one uses it`
		case <-ctx.Done():
			return
		}
	}
}

func unpackAll(c *net.UDPConn) {
	buf := make([]byte, 1500)
	for {
		n, _, err := c.ReadFromUDP(buf)
		if err != nil {
			return
		}
		go unpack(buf[:n]) // want `buf\[:n\] is handed to another goroutine as it is, not a copy`
	}
}

func unpackInPlace(c *net.UDPConn) {
	buf := make([]byte, 1500)
	for {
		n, _, err := c.ReadFromUDP(buf)
		if err != nil {
			return
		}
		go func() {
			unpack(buf[:n]) // want `buf\[:n\] is handed to another goroutine as it is, not a copy`
		}()
	}
}
