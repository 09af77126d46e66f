package mqconsumer

import (
	"errors"
	"fmt"
	"sync"
)

type Delivery struct {
	Tag  uint64
	Body []byte
}

type Broker interface {
	Next() (Delivery, error)
	Ack(tag uint64) error
	Detach() error
}

type Consumer struct {
	b      Broker
	stop   chan struct{}
	closed bool

	mu      sync.Mutex
	lastErr error
}

func Consume(b Broker, fn func(Delivery) error) *Consumer {
	c := &Consumer{b: b, stop: make(chan struct{})}
	go c.loop(fn)
	return c
}

func (c *Consumer) loop(fn func(Delivery) error) {
	for {
		select {
		case <-c.stop:
			return
		default:
		}
		d, err := c.b.Next()
		if err != nil {
			c.setErr(fmt.Errorf("next: %w", err))
			c.setErr(c.Close())
			return
		}
		if err := fn(d); err != nil {
			c.setErr(err)
			continue
		}
		c.setErr(c.b.Ack(d.Tag))
	}
}

func (c *Consumer) setErr(err error) {
	c.mu.Lock()
	c.lastErr = errors.Join(c.lastErr, err)
	c.mu.Unlock()
}

func (c *Consumer) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lastErr
}

func (c *Consumer) Close() error {
	if !c.closed {
		c.closed = true
		close(c.stop)
		return c.b.Detach()
	}
	return nil
}
