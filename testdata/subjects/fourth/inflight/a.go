package inflight

import (
	"context"
	"errors"
	"sync/atomic"
)

var ErrLimit = errors.New("inflight: memory limit reached")

type Limiter struct {
	max  int64
	used atomic.Int64
	peak atomic.Int64
}

func NewLimiter(max int64) *Limiter { return &Limiter{max: max} }

func (l *Limiter) reserve(n int64) error {
	total := l.used.Add(n)
	if total > l.max {
		l.used.Add(-n)
		return ErrLimit
	}
	for {
		p := l.peak.Load()
		if total <= p || l.peak.CompareAndSwap(p, total) {
			return nil
		}
	}
}

func (l *Limiter) free(n int64) { l.used.Add(-n) }

type Uploader interface {
	Upload(ctx context.Context, part int, body []byte) error
}

type Guard struct {
	lim *Limiter
	up  Uploader
}

func NewGuard(up Uploader, max int64) *Guard {
	return &Guard{lim: NewLimiter(max), up: up}
}

func (g *Guard) Upload(ctx context.Context, part int, body []byte) error {
	n := int64(len(body))
	if err := g.lim.reserve(n); err != nil {
		return err
	}
	defer g.lim.free(n)
	return g.up.Upload(ctx, part, body)
}
