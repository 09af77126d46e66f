package duplexpipe

import (
	"io"
	"sync"
)

type Pipe struct {
	rmu sync.Mutex
	wmu sync.Mutex

	in   chan []byte
	out  chan []byte
	dead chan struct{}
}

func New() (*Pipe, *Pipe) {
	a, b := make(chan []byte), make(chan []byte)
	return &Pipe{in: a, out: b, dead: make(chan struct{})},
		&Pipe{in: b, out: a, dead: make(chan struct{})}
}

func (p *Pipe) Recv() ([]byte, error) {
	p.rmu.Lock()
	defer p.rmu.Unlock()
	select {
	case b := <-p.in:
		return b, nil
	case <-p.dead:
		return nil, io.EOF
	}
}

func (p *Pipe) Send(b []byte) error {
	p.wmu.Lock()
	defer p.wmu.Unlock()
	select {
	case p.out <- b:
		return nil
	case <-p.dead:
		return io.ErrClosedPipe
	}
}

// abort runs with the caller's side locked.
func (p *Pipe) abort() {
	select {
	case <-p.dead:
	default:
		close(p.dead)
	}
}

func (p *Pipe) CloseRead() {
	p.rmu.Lock()
	defer p.rmu.Unlock()
	p.abort()
}

func (p *Pipe) CloseWrite() {
	p.wmu.Lock()
	defer p.wmu.Unlock()
	p.abort()
}
