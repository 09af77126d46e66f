// Package streamwindow multiplexes RPC streams over one connection with a
// shared send window.
package streamwindow

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

var (
	ErrNoStream = errors.New("streamwindow: no such stream")
	ErrShut     = errors.New("streamwindow: connection shut")
)

type frame struct {
	stream uint32
	data   []byte
	fin    bool
}

type stream struct {
	id   uint32
	sent int
	fin  bool
}

type Conn struct {
	sync.Mutex
	streams map[uint32]*stream
	nextID  uint32
	credit  int
	refill  chan struct{}
	queue   []frame
	kick    chan struct{}
	shut    bool
}

func NewConn(initial int, write func(frame) error) *Conn {
	c := &Conn{
		streams: make(map[uint32]*stream),
		credit:  initial,
		refill:  make(chan struct{}),
		kick:    make(chan struct{}, 1),
	}
	go c.writeLoop(write)
	return c
}

func (c *Conn) Open() uint32 {
	c.Lock()
	defer c.Unlock()
	c.nextID += 2
	c.streams[c.nextID] = &stream{id: c.nextID}
	return c.nextID
}

// Send queues p on the stream once the window has room for it.
func (c *Conn) Send(ctx context.Context, id uint32, p []byte, fin bool) error {
	c.Lock()
	defer c.Unlock()
	st, ok := c.streams[id]
	if !ok || st.fin {
		return fmt.Errorf("stream %d: %w", id, ErrNoStream)
	}
	if err := c.reserveLocked(ctx, len(p)); err != nil {
		return err
	}
	st.sent += len(p)
	st.fin = fin
	c.queue = append(c.queue, frame{stream: id, data: p, fin: fin})
	c.wakeWriter()
	return nil
}

// reserveLocked takes n bytes off the window, waiting for the peer's updates.
func (c *Conn) reserveLocked(ctx context.Context, n int) error {
	for c.credit < n && !c.shut {
		ready := c.refill
		c.Unlock()
		var err error
		select {
		case <-ready:
		case <-ctx.Done():
			err = ctx.Err()
		}
		c.Lock()
		if err != nil {
			return err
		}
	}
	if c.shut {
		return ErrShut
	}
	c.credit -= n
	return nil
}

// WindowUpdate is called by the reader for each credit frame of the peer.
func (c *Conn) WindowUpdate(n int) {
	c.Lock()
	c.credit += n
	close(c.refill)
	c.refill = make(chan struct{})
	c.Unlock()
}

// Reset is called by the reader when the peer abandons a stream.
func (c *Conn) Reset(id uint32) {
	c.Lock()
	defer c.Unlock()
	delete(c.streams, id)
	kept := c.queue[:0]
	for _, f := range c.queue {
		if f.stream != id {
			kept = append(kept, f)
		} else {
			c.credit += len(f.data)
		}
	}
	c.queue = kept
	close(c.refill)
	c.refill = make(chan struct{})
}

func (c *Conn) wakeWriter() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

func (c *Conn) writeLoop(write func(frame) error) {
	for range c.kick {
		c.Lock()
		batch := c.queue
		c.queue = nil
		c.Unlock()
		for _, f := range batch {
			if err := write(f); err != nil {
				c.Lock()
				c.shut = true
				close(c.refill)
				c.refill = make(chan struct{})
				c.Unlock()
				return
			}
		}
	}
}
