// Package cwhand stops a goroutine that may end by itself.
package cwhand

import (
	"context"
	"sync/atomic"
	"time"
)

// Ticker calls f until it fails or Stop is called.
type Ticker struct {
	f     func() error
	state atomic.Int32 // 0 running, 1 over
	done  chan struct{}
	quit  context.CancelFunc
}

// New starts one.
func New(f func() error) *Ticker {
	ctx, quit := context.WithCancel(context.Background())
	t := &Ticker{f: f, quit: quit, done: make(chan struct{})}
	go t.loop(ctx)
	return t
}

// over says whether the caller is the one who ends it.
func (t *Ticker) over() bool { return t.state.Swap(1) == 0 }

func (t *Ticker) loop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
		if err := t.f(); err != nil {
			if t.over() {
				close(t.done)
			}
			return
		}
	}
}

// Stop stops it.
func (t *Ticker) Stop() {
	t.quit()
	if !t.over() {
		return
	}
	close(t.done)
}

// Done is closed when it is over.
func (t *Ticker) Done() <-chan struct{} { return t.done }
