package fine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Barge has one Once for each of its channels.
type Barge struct {
	home   sync.Once
	loose  sync.Once
	back   chan struct{}
	moored chan struct{}
	cut    chan struct{}
}

func (b *Barge) Close(ctx context.Context) error {
	b.home.Do(func() { close(b.back) })
	select {
	case <-b.moored:
	case <-ctx.Done():
		b.loose.Do(func() { close(b.cut) })
	}
	return ctx.Err()
}

// Tug lets the first one alone come to the select.
type Tug struct {
	ended  atomic.Bool
	warm   sync.Once
	moored chan struct{}
	cut    chan struct{}
}

func (t *Tug) Close(ctx context.Context) error {
	t.warm.Do(func() { time.Sleep(time.Millisecond) })
	if !t.ended.CompareAndSwap(false, true) {
		return nil
	}
	select {
	case <-t.moored:
	case <-ctx.Done():
		close(t.cut)
	}
	return nil
}

// Dinghy makes what it closes anew.
type Dinghy struct {
	home sync.Once
	back chan struct{}
	cut  chan struct{}
}

func (d *Dinghy) Close(ctx context.Context) {
	d.home.Do(func() { close(d.back) })
	select {
	case <-d.back:
	case <-ctx.Done():
		close(d.cut)
		d.cut = make(chan struct{})
	}
}

// Scow waits for one of its own requests.
type Scow struct {
	home     sync.Once
	back     chan struct{}
	requests chan chan struct{}
}

func (s *Scow) Close() {
	s.home.Do(func() { close(s.back) })
	select {
	case <-s.back:
	case answer := <-s.requests:
		close(answer)
	}
}

type skiff struct {
	home sync.Once
	ends sync.Once
	back chan struct{}
	cut  chan struct{}
}

func (s *skiff) leave() {
	s.home.Do(func() { close(s.back) })
	close(s.cut)
}

// Skipper has the skiff leave only once.
type Skipper struct{ s *skiff }

func (s *Skipper) Close() error {
	s.s.ends.Do(s.s.leave)
	return nil
}
