package hooklist

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
)

type Change struct {
	Flag     string
	Old, New string
}

type Hook func(context.Context, Change) error

// Bus fans flag changes out to hooks. Publish is hot and takes no lock.
type Bus struct {
	hooks atomic.Value
	log   *slog.Logger
}

func NewBus(log *slog.Logger) *Bus {
	b := &Bus{log: log}
	b.hooks.Store([]Hook{})
	return b
}

func (b *Bus) current() []Hook {
	return b.hooks.Load().([]Hook)
}

func (b *Bus) Subscribe(h Hook) error {
	if h == nil {
		return errors.New("nil hook")
	}
	old := b.current()
	next := make([]Hook, len(old), len(old)+1)
	copy(next, old)
	b.hooks.Store(append(next, h))
	return nil
}

func (b *Bus) Publish(ctx context.Context, c Change) {
	for i, h := range b.current() {
		if err := h(ctx, c); err != nil {
			b.log.Warn("hook failed", "index", i, "flag", c.Flag, "err", err)
		}
	}
}

func (b *Bus) Len() int { return len(b.current()) }
