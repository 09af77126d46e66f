package statsdclient

import (
	"fmt"
	"net"
	"sync/atomic"
	"time"
)

type Client struct {
	queue   chan string
	conn    net.Conn
	dropped atomic.Uint64
	depth   atomic.Int64
}

func Dial(addr string, size int) (*Client, error) {
	conn, err := net.Dial("udp", addr)
	if err != nil {
		return nil, fmt.Errorf("statsdclient: %w", err)
	}
	c := &Client{queue: make(chan string, size), conn: conn}
	go c.writer()
	return c, nil
}

func (c *Client) writer() {
	for line := range c.queue {
		if _, err := c.conn.Write([]byte(line)); err != nil {
			c.dropped.Add(1)
		}
	}
}

func (c *Client) emit(line string) {
	c.depth.Store(int64(len(c.queue)))
	select {
	case c.queue <- line:
	default:
		c.dropped.Add(1)
	}
}

func (c *Client) Count(name string, n int64) {
	c.emit(fmt.Sprintf("%s:%d|c\n", name, n))
}

func (c *Client) Timing(name string, d time.Duration) {
	c.emit(fmt.Sprintf("%s:%d|ms\n", name, d.Milliseconds()))
}

func (c *Client) Dropped() uint64 { return c.dropped.Load() }
