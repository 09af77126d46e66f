// Package grantbook is the lock service of a cluster's coordinator: clients
// hold named grants for a term and renew them.
package grantbook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

var (
	ErrHeld    = errors.New("grantbook: held by another client")
	ErrNotHeld = errors.New("grantbook: not held by this client")
)

type grant struct {
	holder string
	fence  uint64
	until  time.Time
}

type Book struct {
	term  time.Duration
	clock func() time.Time
	log   *slog.Logger

	mx     sync.Mutex
	grants map[string]grant
	fence  uint64
}

func Open(ctx context.Context, term time.Duration, log *slog.Logger) *Book {
	b := &Book{term: term, clock: time.Now, log: log, grants: make(map[string]grant)}
	go b.expireLoop(ctx)
	return b
}

func (b *Book) locked(fn func(now time.Time) error) error {
	b.mx.Lock()
	defer b.mx.Unlock()
	return fn(b.clock())
}

// holderOf returns the live grant of a name, if there is one.
func (b *Book) holderOf(name string, now time.Time) (grant, bool) {
	g, ok := b.grants[name]
	if !ok || now.After(g.until) {
		return grant{}, false
	}
	return g, true
}

func (b *Book) put(name, holder string, fence uint64, now time.Time) grant {
	g := grant{holder: holder, fence: fence, until: now.Add(b.term)}
	b.grants[name] = g
	return g
}

func (b *Book) claim(name, client string, now time.Time) (grant, error) {
	g, held := b.holderOf(name, now)
	switch {
	case held && g.holder != client:
		return grant{}, fmt.Errorf("%s by %s: %w", name, g.holder, ErrHeld)
	case held:
		return b.put(name, client, g.fence, now), nil
	}
	b.fence++
	return b.put(name, client, b.fence, now), nil
}

// Acquire takes or renews a grant and returns its fencing number.
func (b *Book) Acquire(name, client string) (fence uint64, err error) {
	err = b.locked(func(now time.Time) error {
		g, err := b.claim(name, client, now)
		fence = g.fence
		return err
	})
	return fence, err
}

// AcquireAll takes all of the names or none of them.
func (b *Book) AcquireAll(client string, names ...string) error {
	return b.locked(func(now time.Time) error {
		for _, n := range names {
			if g, held := b.holderOf(n, now); held && g.holder != client {
				return fmt.Errorf("%s by %s: %w", n, g.holder, ErrHeld)
			}
		}
		for _, n := range names {
			if _, err := b.claim(n, client, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// Release gives a grant up before its term ends.
func (b *Book) Release(name, client string) error {
	return b.locked(func(now time.Time) error {
		g, held := b.holderOf(name, now)
		if !held || g.holder != client {
			return ErrNotHeld
		}
		delete(b.grants, name)
		return nil
	})
}

func (b *Book) expireLoop(ctx context.Context) {
	t := time.NewTicker(b.term)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		b.locked(func(now time.Time) error {
			for name, g := range b.grants {
				if now.After(g.until) {
					b.log.Info("grant expired", "name", name, "holder", g.holder)
					delete(b.grants, name)
				}
			}
			return nil
		})
	}
}
