// Package half has fields that are written under a lock, and read with it and without.
package half

import (
	"net"
	"sync"
)

// Conn is used by many goroutines.
type Conn struct {
	mu     sync.Mutex
	conn   net.Conn
	ended  bool
	size   int
	name   string
	opened int
	seen   bool
}

// New makes one that nobody else has yet.
func New(name string) *Conn {
	c := &Conn{name: name}
	c.size = 1
	return c
}

func (c *Conn) dial() (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		return c.conn, nil
	}
	conn, err := net.Dial("tcp", c.name)
	if err != nil {
		return nil, err
	}
	c.conn = conn
	c.opened++
	return conn, nil
}

// Write dials when it must.
func (c *Conn) Write(p []byte) (int, error) {
	conn, err := c.dial()
	if err != nil {
		return 0, err
	}
	c.note()
	return conn.Write(p)
}

// Close ends what Write has opened.
func (c *Conn) Close() error {
	if c.conn != nil { // want `c.conn is tested here without c.mu, which all functions hold that write it, as \(\*Conn\).dial does`
		return c.conn.Close()
	}
	return nil
}

// End is once and for all.
func (c *Conn) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.ended = true
}

// Flush does nothing once it is over.
func (c *Conn) Flush() error {
	if c.ended { // want `c.ended is tested here without c.mu`
		return net.ErrClosed
	}
	return nil
}

// Named is set before anybody has it.
func (c *Conn) Named() bool { return c.name != "" }

// Reset looks again when it has the lock.
func (c *Conn) Reset() {
	if c.ended {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.opened = 0
	}
}

// Opened only tells.
func (c *Conn) Opened() int { return c.opened }

// note is called by several, and sets without the lock.
func (c *Conn) note() {
	if !c.seen {
		c.seen = true
	}
}

// Seen is about a variable that has no rule.
func (c *Conn) Seen() string {
	if c.seen {
		return "seen"
	}
	return ""
}

// Ended is a hint, and the race detector is told not to look.
//
//go:norace
func (c *Conn) Ended() string {
	if c.ended {
		return "ended"
	}
	return ""
}

// Snapshot is closed by the last one who has it.
type Snapshot struct {
	mu     sync.Mutex
	refs   int
	reader net.Conn
}

// Close gives it up.
func (s *Snapshot) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refs--
	if s.refs == 0 && s.reader != nil {
		s.reader.Close()
		s.reader = nil
	}
}

// Read is for those who have it.
func (s *Snapshot) Read(p []byte) (int, error) {
	if c, ok := s.reader.(*net.TCPConn); ok {
		return c.Read(p)
	}
	return s.reader.Read(p)
}

// Details are merged by the one who has them.
type Details struct {
	mu      sync.Mutex
	slowest struct {
		took int
		name string
	}
}

// Add is for many.
func (d *Details) Add(took int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if took > d.slowest.took {
		d.slowest.took = took
	}
}

// Merge is for one, who writes as well.
func (d *Details) Merge(other *Details) {
	if d.slowest.took < other.slowest.took {
		d.slowest = other.slowest
	}
}
