package broken

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// Wherry crosses until it is called back.
type Wherry struct {
	home   sync.Once
	back   chan struct{}
	moored chan struct{}
	cut    chan struct{}
}

// Close calls the wherry back, and cuts the rope if that takes too long.
func (f *Wherry) Close(ctx context.Context) error {
	f.home.Do(func() { close(f.back) })
	select {
	case <-f.moored:
	case <-ctx.Done():
		close(f.cut) // want `f.cut is closed by each call that gives up waiting, beside f.home, which does the rest only once: a second call panics`
		return ctx.Err()
	}
	return nil
}

type raft struct {
	home   sync.Once
	back   chan struct{}
	moored chan struct{}
	cut    chan struct{}
}

func (r *raft) haul(ctx context.Context) error {
	r.home.Do(func() { close(r.back) })
	select {
	case <-r.moored:
		return nil
	case <-ctx.Done():
	case <-time.After(time.Minute):
		close(r.cut) // want `r.cut is closed by each call that gives up waiting, beside r.home`
	}
	return ctx.Err()
}

// Rafter has a raft.
type Rafter struct{ r *raft }

func (r *Rafter) Close(ctx context.Context) error { return r.r.haul(ctx) }

// Punt tells the first one by a flag.
type Punt struct {
	ended atomic.Bool
	pole  io.Closer
	cut   chan struct{}
}

func (p *Punt) Stop() {
	if p.ended.CompareAndSwap(false, true) {
		p.pole.Close()
	}
	close(p.cut) // want `p.cut is closed on each call, beside p.ended, which does the rest only once: a second call panics`
}

// Canoe waits for whoever paddles.
type Canoe struct {
	mu      sync.Mutex
	strokes int
	ashore  chan struct{}
	tipped  chan struct{}
}

func (c *Canoe) Paddle() {
	c.mu.Lock()
	c.strokes++
	c.mu.Unlock()
}

func (c *Canoe) Shutdown(ctx context.Context) error {
	select {
	case <-c.ashore:
		return nil
	case <-ctx.Done():
		close(c.tipped) // want `c.tipped is closed without a look whether it is closed already: a second call panics`
		return ctx.Err()
	}
}
