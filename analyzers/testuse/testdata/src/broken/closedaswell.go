package broken

import (
	"context"
	"errors"
	"sync"
)

// tail follows a log until it is stopped, or the log ends.
type tail struct {
	lines  chan string
	done   chan struct{}
	cancel context.CancelFunc

	mu   sync.Mutex
	last error
}

func newTail(ctx context.Context) *tail {
	ctx, cancel := context.WithCancel(ctx)
	t := &tail{lines: make(chan string), done: make(chan struct{}), cancel: cancel}
	go t.follow(ctx)
	return t
}

func (t *tail) follow(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case _, ok := <-t.lines:
			if !ok {
				t.abort(errors.New("the log is gone"))
				return
			}
		}
	}
}

func (t *tail) abort(err error) {
	t.mu.Lock()
	t.last = err
	t.mu.Unlock()
	close(t.done)
}

func (t *tail) Stop() {
	t.cancel()
	close(t.done) // want `t.done is closed here without a look whether it is closed already, and a goroutine closes it too`
}

// onwardPipe closes when what it reads ends.
type onwardPipe struct {
	in, out chan int
}

func (r *onwardPipe) Start() {
	go func() {
		defer close(r.out)
		for x := range r.in {
			r.out <- x // want `r.out can be closed by \(\*onwardPipe\).Close before or during this send`
		}
	}()
}

func (r *onwardPipe) Close() {
	close(r.in)
	close(r.out) // want `r.out is closed here without a look whether it is closed already, and a goroutine closes it too`
}
