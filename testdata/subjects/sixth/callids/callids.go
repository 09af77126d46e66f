// Package callids is a datagram request client: replies are matched to their
// requests by a random 16-bit transaction id.
package callids

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

var (
	errBusy   = errors.New("callids: transaction space exhausted")
	errClosed = errors.New("callids: client closed")
)

type waiter struct {
	reply chan []byte
	since time.Time
}

type Client struct {
	conn    net.Conn
	timeout time.Duration

	tab     sync.Mutex
	waiting map[uint16]waiter

	gone chan struct{}
}

func NewClient(conn net.Conn, timeout time.Duration) *Client {
	c := &Client{
		conn:    conn,
		timeout: timeout,
		waiting: make(map[uint16]waiter),
		gone:    make(chan struct{}),
	}
	go c.receive()
	return c
}

func (c *Client) inUse(id uint16) bool {
	c.tab.Lock()
	defer c.tab.Unlock()
	_, ok := c.waiting[id]
	return ok
}

func (c *Client) forget(id uint16) {
	c.tab.Lock()
	delete(c.waiting, id)
	c.tab.Unlock()
}

// Query sends payload and waits for the reply that carries the same id.
func (c *Client) Query(ctx context.Context, payload []byte) ([]byte, error) {
	var id uint16
	for try := 0; ; try++ {
		if try == 64 {
			return nil, errBusy
		}
		id = uint16(rand.Uint32())
		if id != 0 && !c.inUse(id) {
			break
		}
	}

	w := waiter{reply: make(chan []byte, 1), since: time.Now()}
	c.tab.Lock()
	c.waiting[id] = w
	c.tab.Unlock()
	defer c.forget(id)

	pkt := make([]byte, 2, 2+len(payload))
	binary.BigEndian.PutUint16(pkt, id)
	pkt = append(pkt, payload...)
	if _, err := c.conn.Write(pkt); err != nil {
		return nil, err
	}

	expiry := time.NewTimer(c.timeout)
	defer expiry.Stop()
	select {
	case r := <-w.reply:
		return r, nil
	case <-expiry.C:
		return nil, context.DeadlineExceeded
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.gone:
		return nil, errClosed
	}
}

func (c *Client) Close() error { return c.conn.Close() }

func (c *Client) receive() {
	defer close(c.gone)
	buf := make([]byte, 64<<10)
	for {
		n, err := c.conn.Read(buf)
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
				log.Printf("callids: read: %v", err)
			}
			return
		}
		if n < 2 {
			continue
		}
		id := binary.BigEndian.Uint16(buf)
		c.tab.Lock()
		w, ok := c.waiting[id]
		c.tab.Unlock()
		if !ok {
			continue
		}
		select {
		case w.reply <- append([]byte(nil), buf[2:n]...):
		default: // a duplicate of a reply that is already waiting
		}
	}
}
