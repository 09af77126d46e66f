package consumergroup

import (
	"context"
	"errors"
	"sync"
)

var ErrClosed = errors.New("consumergroup: closed")

type Coordinator interface {
	Leave(ctx context.Context, member string) error
	Heartbeat(member string) error
}

type Consumer struct {
	member string
	coord  Coordinator
	quit   chan struct{}

	mu      sync.Mutex
	closing bool
}

func New(member string, c Coordinator) *Consumer {
	return &Consumer{member: member, coord: c, quit: make(chan struct{})}
}

func (c *Consumer) Done() <-chan struct{} { return c.quit }

func (c *Consumer) Beat() error {
	select {
	case <-c.quit:
		return ErrClosed
	default:
		return c.coord.Heartbeat(c.member)
	}
}

func (c *Consumer) Close(ctx context.Context) error {
	c.mu.Lock()
	already := c.closing
	c.mu.Unlock()
	if already {
		return ErrClosed
	}

	err := c.coord.Leave(ctx, c.member)

	c.mu.Lock()
	c.closing = true
	close(c.quit)
	c.mu.Unlock()
	return err
}
