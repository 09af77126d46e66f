package closed

import (
	"errors"
	"io"
	"net"
	"sync"
)

type splice struct {
	a, b   net.Conn
	broken chan struct{}
	ended  chan struct{}
	chosen chan struct{}
	once   sync.Once
}

func (s *splice) run() {
	var wg sync.WaitGroup
	wg.Go(func() { s.half(s.a, s.b, true) })
	wg.Go(func() { s.half(s.b, s.a, false) })
	wg.Wait()
}

func (s *splice) half(dst, src net.Conn, first bool) {
	defer close(s.ended) // want `s.ended is closed without a look whether it is closed already, by two goroutines`
	buf := make([]byte, 512)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			dst.Write(buf[:n])
		}
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.EOF):
		default:
			close(s.broken) // want `s.broken is closed without a look whether it is closed already, by two goroutines`
		}
		break
	}
	if first {
		close(s.chosen) // one of the two
	}
	s.once.Do(func() { close(s.broken) })
}

func pipe(dst, src net.Conn, done chan<- struct{}) {
	if _, err := io.Copy(dst, src); err != nil {
		close(done) // want `done is closed without a look`
	}
}

func join(a, b net.Conn) {
	done := make(chan struct{})
	go pipe(a, b, done)
	pipe(b, a, done)
}

func pipeOwn(dst, src net.Conn, done chan<- struct{}) {
	io.Copy(dst, src)
	close(done)
}

func joinEach(a, b net.Conn) {
	up, down := make(chan struct{}), make(chan struct{})
	go pipeOwn(a, b, up)
	go pipeOwn(b, a, down)
	<-up
	<-down
}

func joinInTurn(a, b net.Conn) {
	done := make(chan struct{})
	go pipeOwn(a, b, done)
	<-done
	done = make(chan struct{})
	go pipeOwn(b, a, done)
	<-done
}

func literals(a, b net.Conn) {
	done := make(chan struct{})
	go func() {
		io.Copy(a, b)
		close(done) // want `done is closed without a look`
	}()
	go func() {
		io.Copy(b, a)
		close(done)
	}()
	<-done
}

func literalsOnce(a, b net.Conn) {
	done := make(chan struct{})
	var once sync.Once
	copy := func(dst, src net.Conn) {
		io.Copy(dst, src)
		once.Do(func() { close(done) })
	}
	go copy(a, b)
	go copy(b, a)
	<-done
}

func literalTwice(a, b net.Conn) {
	done := make(chan struct{})
	copy := func(dst, src net.Conn) {
		if _, err := io.Copy(dst, src); err != nil {
			close(done) // want `done is closed without a look`
		}
	}
	go copy(a, b)
	go copy(b, a)
	<-done
}

// After one has told, the other one closes.
func literalAfter(a, b net.Conn) {
	told, done := make(chan struct{}), make(chan struct{})
	go func() {
		if _, err := io.Copy(a, b); err != nil {
			close(done)
			return
		}
		told <- struct{}{}
	}()
	go func() {
		<-told
		close(done)
	}()
	<-done
}

// dredger ends in a method whose name says that it ends, by two of its goroutines.
type dredger struct {
	hull net.Conn
	over chan struct{}
}

func (d *dredger) work() {
	go d.listen()
	go d.dig()
}

func (d *dredger) listen() {
	io.Copy(io.Discard, d.hull)
	d.CleanUp()
}

func (d *dredger) dig() {
	d.hull.Write([]byte("dig"))
	d.CleanUp()
}

// CleanUp ends d.
func (d *dredger) CleanUp() {
	close(d.over) // want `d.over is closed without a look whether it is closed already, by two goroutines that run at the same time`
	d.hull.Close()
}
