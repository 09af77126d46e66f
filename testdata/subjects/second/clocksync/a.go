package clocksync

import (
	"context"
	"sync/atomic"
	"time"
)

type Source interface {
	Offset(ctx context.Context) (time.Duration, error)
}

type Clock struct {
	src    Source
	offset atomic.Int64
	polls  atomic.Int64
}

func Start(ctx context.Context, src Source, every time.Duration) *Clock {
	c := &Clock{src: src}
	go c.run(ctx, every)
	return c
}

func (c *Clock) run(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			c.poll(ctx)
		}
	}
}

func (c *Clock) poll(ctx context.Context) {
	d, err := c.src.Offset(ctx)
	if err != nil {
		return
	}
	cur := c.offset.Load()
	cur += (int64(d) - cur) / 8
	c.offset.Store(cur)
	c.polls.Add(1)
}

func (c *Clock) Now() time.Time {
	return time.Now().Add(time.Duration(c.offset.Load()))
}

func (c *Clock) Polls() int64 { return c.polls.Load() }
