// Package onefeeder has one goroutine for each connection that feeds its parsers.
package onefeeder

import (
	"io"
	"sync"
)

type parser struct {
	buf   []byte
	count int
}

func (p *parser) feed(b []byte) {
	p.buf = append(p.buf, b...)
	p.count++
}

func (p *parser) reset() { p.buf, p.count = nil, 0 }

// Conn has parsers.
type Conn struct {
	mu      sync.RWMutex
	parsers map[byte]*parser
	names   map[byte]string
}

// Accept starts one.
func Accept(r io.Reader) *Conn {
	c := &Conn{parsers: map[byte]*parser{0: {}, 1: {}}, names: map[byte]string{}}
	go c.read(r)
	return c
}

// read is the one goroutine of the connection. Right: nobody else uses a parser with the lock
// held for reading, Name looks at names alone; and who holds it for writing keeps this out.
func (c *Conn) read(r io.Reader) {
	b := make([]byte, 512)
	for {
		n, err := r.Read(b)
		if err != nil || n == 0 {
			return
		}
		c.mu.RLock()
		if p, ok := c.parsers[b[0]]; ok {
			p.feed(b[1:n])
		}
		c.mu.RUnlock()
	}
}

// Name looks at names.
func (c *Conn) Name(k byte) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.names[k]
}

// Reset starts over.
func (c *Conn) Reset(k byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.parsers[k]; p != nil {
		p.reset()
	}
}
