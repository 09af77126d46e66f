package fine

import (
	"net"
	"sync"
	"sync/atomic"
)

// metered is a connection whose methods share nothing that they do not hold a lock for.
type metered struct {
	net.Conn
	once     sync.Once
	name     string // given by the once
	got      int    // by Read alone
	sent     int    // by Write alone
	mu       sync.Mutex
	deadline int
	over     atomic.Bool
}

func meter(c net.Conn) *metered { return &metered{Conn: c, name: c.RemoteAddr().String()} }

func (c *metered) shake() { c.once.Do(func() { c.name += "!" }) }

func (c *metered) Read(p []byte) (int, error) {
	c.shake()
	n, err := c.Conn.Read(p)
	c.got += n
	return n, err
}

func (c *metered) Write(p []byte) (int, error) {
	c.shake()
	if c.over.Load() {
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Write(p)
	c.sent += n
	return n, err
}

func (c *metered) Close() error {
	c.over.Store(true)
	return c.Conn.Close()
}

// halfClosed has the methods of a reader and a writer, but is no connection.
type halfClosed struct{ at int }

func (h *halfClosed) Read(p []byte) (int, error)  { h.at++; return len(p), nil }
func (h *halfClosed) Write(p []byte) (int, error) { h.at++; return len(p), nil }
