package redisclient

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"time"
)

type Client struct {
	addr    string
	timeout time.Duration

	mu   sync.Mutex
	conn net.Conn
	rd   *bufio.Reader
}

func New(addr string, timeout time.Duration) *Client {
	return &Client{addr: addr, timeout: timeout}
}

func (c *Client) connect() error {
	if c.conn != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	nc, err := net.DialTimeout("tcp", c.addr, c.timeout)
	if err != nil {
		return fmt.Errorf("redisclient: dial %s: %w", c.addr, err)
	}
	c.conn = nc
	c.rd = bufio.NewReader(nc)
	return nil
}

func (c *Client) Do(cmd string) (string, error) {
	if err := c.connect(); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return "", net.ErrClosed
	}
	if _, err := fmt.Fprintf(c.conn, "%s\r\n", cmd); err != nil {
		return "", err
	}
	return c.rd.ReadString('\n')
}

func (c *Client) Close() (err error) {
	c.mu.Lock()
	if c.conn != nil {
		err = c.conn.Close()
		c.conn, c.rd = nil, nil
	}
	c.mu.Unlock()
	return err
}
