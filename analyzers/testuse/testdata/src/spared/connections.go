package spared

import (
	"net"
	"sync"
)

// A Server makes a connection for each goroutine that it starts, and has a table
// of them only to end them.
type Server struct {
	mu    sync.Mutex
	conns map[*connection]bool
	last  *transfer
}

type connection struct {
	mu     sync.Mutex
	peer   net.Conn
	upload *transfer
	server *Server
}

type transfer struct{ size int }

func (t *transfer) Close() { t.size = 0 }

func (s *Server) Serve(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			s.serve(&connection{peer: c, server: s})
		}()
	}
}

func (s *Server) serve(c *connection) {
	s.mu.Lock()
	s.conns[c] = true
	s.mu.Unlock()
	for range 10 {
		c.receive()
		c.reset()
	}
}

func (c *connection) receive() {
	if c.upload == nil {
		c.upload = &transfer{}
	}
	c.mu.Lock()
	first := c.server.last == nil // want `both pass the test of c.server.last and both set it`
	c.mu.Unlock()
	if first {
		c.mu.Lock()
		c.server.last = c.upload
		c.mu.Unlock()
	}
}

func (c *connection) reset() {
	c.mu.Lock()
	done := c.upload != nil
	c.mu.Unlock()
	if done {
		c.upload.Close()
		c.mu.Lock()
		c.upload = nil
		c.mu.Unlock()
	}
}
