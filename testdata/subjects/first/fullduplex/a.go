package fullduplex

import (
	"io"
	"sync"
)

type Packet []byte

type Conn struct {
	inMu sync.Mutex
	in   []Packet

	outMu sync.Mutex
	out   []Packet

	w io.Writer
}

func NewConn(w io.Writer) *Conn { return &Conn{w: w} }

func (c *Conn) HandleInbound(p Packet) {
	c.inMu.Lock()
	defer c.inMu.Unlock()
	c.in = append(c.in, p)
}

func (c *Conn) Recv() (Packet, bool) {
	c.inMu.Lock()
	defer c.inMu.Unlock()
	if len(c.in) == 0 {
		return nil, false
	}
	p := c.in[0]
	c.in = c.in[1:]
	return p, true
}

func (c *Conn) Enqueue(p Packet) {
	c.outMu.Lock()
	defer c.outMu.Unlock()
	c.out = append(c.out, p)
}

func (c *Conn) requeue(p Packet) {
	c.inMu.Lock()
	defer c.inMu.Unlock()
	c.out = append([]Packet{p}, c.out...)
}

func (c *Conn) next() (p Packet, ok bool) {
	c.outMu.Lock()
	defer c.outMu.Unlock()
	if len(c.out) > 0 {
		p, c.out, ok = c.out[0], c.out[1:], true
	}
	return p, ok
}

func (c *Conn) Flush() error {
	for {
		p, ok := c.next()
		if !ok {
			return nil
		}
		if _, err := c.w.Write(p); err != nil {
			c.requeue(p)
			return err
		}
	}
}
