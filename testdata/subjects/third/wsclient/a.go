package wsclient

import (
	"io"
	"log"
	"sync/atomic"
	"time"
)

type Conn interface {
	ReadMessage() ([]byte, error)
	WriteMessage([]byte) error
	io.Closer
}

type Client struct {
	conn   Conn
	out    chan []byte
	done   chan struct{}
	closed atomic.Bool
}

func Serve(c Conn, handle func([]byte)) *Client {
	cl := &Client{conn: c, out: make(chan []byte, 64), done: make(chan struct{})}
	go cl.readPump(handle)
	go cl.writePump()
	return cl
}

func (c *Client) Close() error {
	if c.closed.Load() {
		return nil
	}
	c.closed.Store(true)
	close(c.done)
	return c.conn.Close()
}

func (c *Client) readPump(handle func([]byte)) {
	defer c.Close()
	for {
		msg, err := c.conn.ReadMessage()
		if err != nil {
			if !c.closed.Load() {
				log.Printf("ws read: %v", err)
			}
			return
		}
		handle(msg)
	}
}

func (c *Client) writePump() {
	defer c.Close()
	ping := time.NewTicker(30 * time.Second)
	defer ping.Stop()
	for {
		var msg []byte
		select {
		case <-c.done:
			return
		case <-ping.C:
		case msg = <-c.out:
		}
		if err := c.conn.WriteMessage(msg); err != nil {
			return
		}
	}
}

func (c *Client) Send(p []byte) bool {
	select {
	case c.out <- p:
		return true
	case <-c.done:
		return false
	}
}
