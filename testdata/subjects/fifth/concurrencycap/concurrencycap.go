package concurrencycap

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

var ErrSaturated = errors.New("concurrencycap: saturated")

// Cap bounds the calls to an upstream; the bound follows the observed latency.
type Cap struct {
	name     string
	floor    int64
	ceiling  int64
	target   time.Duration
	inflight atomic.Int64
	bound    atomic.Int64
	refused  atomic.Uint64
}

func New(name string, floor, ceiling int64, target time.Duration) *Cap {
	c := &Cap{name: name, floor: floor, ceiling: ceiling, target: target}
	c.bound.Store(ceiling)
	return c
}

func (c *Cap) acquire() bool {
	for {
		n := c.inflight.Load()
		if n >= c.bound.Load() {
			if c.refused.Add(1)%100 == 1 {
				slog.Warn("upstream saturated", "upstream", c.name, "inflight", n)
			}
			return false
		}
		if c.inflight.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (c *Cap) release(took time.Duration) {
	c.inflight.Add(-1)
	c.adapt(took)
}

// adapt lowers the bound after slow calls and raises it after quick ones.
func (c *Cap) adapt(took time.Duration) {
	for {
		cur := c.bound.Load()
		next := cur
		switch {
		case took > 2*c.target:
			next = max(c.floor, cur-cur/10-1)
		case took < c.target:
			next = min(c.ceiling, cur+1)
		}
		if next == cur || c.bound.CompareAndSwap(cur, next) {
			return
		}
	}
}

// Invoke runs the call if there is room for it.
func Invoke[Req, Resp any](ctx context.Context, c *Cap, req Req, call func(context.Context, Req) (Resp, error)) (resp Resp, err error) {
	if !c.acquire() {
		return resp, fmt.Errorf("%s: %w", c.name, ErrSaturated)
	}
	start := time.Now()
	defer func() { c.release(time.Since(start)) }()
	return call(ctx, req)
}

// Stats is a rough picture of the state.
type Stats struct {
	Inflight, Bound int64
	Refused         uint64
}

func (c *Cap) Stats() Stats {
	return Stats{Inflight: c.inflight.Load(), Bound: c.bound.Load(), Refused: c.refused.Load()}
}
