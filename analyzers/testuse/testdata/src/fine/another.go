package fine

import (
	"context"
	"sync"
	"sync/atomic"
)

// A value that nobody changes: the second one is like the first.

type limits struct{ most, least int }

type Settings struct {
	limits atomic.Pointer[limits]
}

func (s *Settings) Limits() *limits {
	l := s.limits.Load()
	if l == nil {
		l = &limits{most: 10}
		s.limits.Store(l)
	}
	return l
}

// One of them wins.

type tray struct {
	mu   sync.Mutex
	cups int
}

func (t *tray) add() {
	t.mu.Lock()
	t.cups++
	t.mu.Unlock()
}

type Waiter struct{ tray atomic.Pointer[tray] }

func (w *Waiter) Serve() {
	t := w.tray.Load()
	if t == nil {
		w.tray.CompareAndSwap(nil, new(tray))
		t = w.tray.Load()
	}
	t.add()
}

// Who comes second looks again, once the lock is there.

type ticket struct{ until int }

func (t *ticket) valid() bool { return t != nil && t.until > 0 }

type counter interface {
	sell(ctx context.Context) (*ticket, error)
}

type Tickets struct {
	counter counter
	mu      sync.RWMutex
	ticket  *ticket
}

func (t *Tickets) Get(ctx context.Context) (*ticket, error) {
	t.mu.RLock()
	now := t.ticket
	t.mu.RUnlock()
	if now.valid() {
		return now, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ticket.valid() {
		return t.ticket, nil
	}
	now, err := t.counter.sell(ctx)
	if err != nil {
		return nil, err
	}
	t.ticket = now
	return now, nil
}

// Asked ahead of the lock: both have asked already, and either answer will do.

func (t *Tickets) Peek(ctx context.Context) (*ticket, error) {
	t.mu.RLock()
	now := t.ticket
	t.mu.RUnlock()
	if now.valid() {
		return now, nil
	}
	now, err := t.counter.sell(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	t.ticket = now
	t.mu.Unlock()
	return now, nil
}

// Only the goroutine ends it.

type Reader struct {
	mu    sync.Mutex
	ended chan struct{}
	lines int
	next  func() bool
}

func NewReader(next func() bool) *Reader {
	r := &Reader{next: next, ended: make(chan struct{})}
	go r.pull()
	return r
}

func (r *Reader) pull() {
	for r.next() {
		r.mu.Lock()
		r.lines++
		r.mu.Unlock()
	}
	r.finish()
}

func (r *Reader) finish() {
	if r.ended != nil {
		close(r.ended)
		r.ended = nil
	}
}

func (r *Reader) Ended() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}
