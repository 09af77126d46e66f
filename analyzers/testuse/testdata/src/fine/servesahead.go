package fine

import (
	"net"
	"sync"
)

type trunkLine struct {
	fits  func(net.Conn) bool
	calls chan net.Conn
	done  chan struct{}
}

// PhoneExchange waits for those that it has started.
type PhoneExchange struct {
	root  net.Listener
	busy  sync.WaitGroup
	lines []trunkLine
}

func (x *PhoneExchange) Serve() error {
	defer func() {
		x.busy.Wait()
		for _, l := range x.lines {
			close(l.calls)
		}
	}()
	for {
		c, err := x.root.Accept()
		if err != nil {
			return err
		}
		x.busy.Add(1)
		go x.connect(c)
	}
}

func (x *PhoneExchange) connect(c net.Conn) {
	defer x.busy.Done()
	for _, l := range x.lines {
		if l.fits(c) {
			l.calls <- c
			return
		}
	}
}

// PhoneRelay closes another channel, by which those that send are told.
type PhoneRelay struct {
	root  net.Listener
	lines []trunkLine
}

func (r *PhoneRelay) Serve() error {
	defer func() {
		for _, l := range r.lines {
			close(l.done)
		}
	}()
	for {
		c, err := r.root.Accept()
		if err != nil {
			return err
		}
		go r.connect(c)
	}
}

func (r *PhoneRelay) connect(c net.Conn) {
	for _, l := range r.lines {
		select {
		case l.calls <- c:
		case <-l.done:
		}
	}
}

// LocalBoard serves in its own goroutine.
type LocalBoard struct {
	root  net.Listener
	lines []trunkLine
}

func (b *LocalBoard) Serve() error {
	defer func() {
		for _, l := range b.lines {
			close(l.calls)
		}
	}()
	for {
		c, err := b.root.Accept()
		if err != nil {
			return err
		}
		b.connect(c)
	}
}

func (b *LocalBoard) connect(c net.Conn) {
	for _, l := range b.lines {
		l.calls <- c
	}
}
