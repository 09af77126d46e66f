// Package cwhandshake gives a client away only if its handshake has come to an end.
package cwhandshake

import (
	"bufio"
	"errors"
	"net"
	"time"
)

// A Client is connected.
type Client struct {
	c     net.Conn
	in    *bufio.Reader
	ready chan struct{}
	done  chan struct{}
}

// Dial returns no client where the handshake fails: nobody can call Close then.
func Dial(addr string) (*Client, error) {
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &Client{c: nc, in: bufio.NewReader(nc), ready: make(chan struct{}), done: make(chan struct{})}
	go c.handshake()
	select {
	case <-c.ready:
		return c, nil
	case <-c.done:
		nc.Close()
		return nil, errors.New("cwhandshake: refused")
	}
}

func (c *Client) handshake() {
	c.c.SetReadDeadline(time.Now().Add(time.Second))
	s, err := c.in.ReadString('\n')
	if err != nil || s != "hello\n" {
		close(c.done)
		return
	}
	close(c.ready)
}

// Close ends the client. It is called once, by whoever has dialed.
func (c *Client) Close() error {
	close(c.done)
	return c.c.Close()
}

// Done is closed with the client.
func (c *Client) Done() <-chan struct{} { return c.done }
