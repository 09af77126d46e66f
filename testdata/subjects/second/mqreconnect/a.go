package mqreconnect

import (
	"errors"
	"net"
	"sync/atomic"
)

type connState uint32

const (
	disconnected connState = iota
	connecting
	connected
	closed
)

var ErrState = errors.New("mqreconnect: bad state")

type Client struct {
	st   uint32
	addr string
	conn atomic.Pointer[net.Conn]
}

func NewClient(addr string) *Client { return &Client{addr: addr} }

func (c *Client) Connect() error {
	if !atomic.CompareAndSwapUint32(&c.st, uint32(disconnected), uint32(connecting)) {
		return ErrState
	}
	nc, err := net.Dial("tcp", c.addr)
	if err != nil {
		atomic.StoreUint32(&c.st, uint32(disconnected))
		return err
	}
	c.conn.Store(&nc)
	if !atomic.CompareAndSwapUint32(&c.st, uint32(connecting), uint32(connected)) {
		if p := c.conn.Swap(nil); p != nil {
			(*p).Close()
		}
		return ErrState
	}
	return nil
}

func (c *Client) Close() error {
	if connState(atomic.SwapUint32(&c.st, uint32(closed))) == closed {
		return nil
	}
	if p := c.conn.Swap(nil); p != nil {
		return (*p).Close()
	}
	return nil
}
