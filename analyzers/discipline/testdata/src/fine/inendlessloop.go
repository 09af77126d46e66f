package fine

import (
	"context"
	"sync"
)

type mark struct{ number int64 }

// replayer takes the lock for its mark wherever workers are about, and sets it before there are any.
type replayer struct {
	in   chan mark
	work chan mark

	mu   sync.Mutex
	low  int64
	done map[int64]bool
}

func NewReplayer() *replayer {
	return &replayer{in: make(chan mark), work: make(chan mark), done: map[int64]bool{}}
}

func (r *replayer) Replay(ctx context.Context, from int64) error {
	r.low = from
	for range 4 {
		go func() {
			for m := range r.work {
				r.finished(m.number)
			}
		}()
	}
	for {
		select {
		case m := <-r.in:
			r.work <- m
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *replayer) finished(number int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done[number] = true
	for r.done[r.low+1] {
		r.low++
		delete(r.done, r.low)
	}
}

func (r *replayer) Waits(number int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return number > r.low
}

// listener looks with the lock.
type listener struct {
	next func() (string, error)
	out  chan string

	mu      sync.Mutex
	leaving bool
	lost    chan error
}

func Listen(next func() (string, error)) *listener {
	l := &listener{next: next, out: make(chan string, 8), lost: make(chan error, 1)}
	go l.listen()
	return l
}

func (l *listener) listen() {
	for {
		l.mu.Lock()
		leaving := l.leaving
		l.mu.Unlock()
		if leaving {
			return
		}
		text, err := l.next()
		if err != nil {
			l.fail(err)
			return
		}
		l.out <- text
	}
}

func (l *listener) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.leaving {
		l.lost <- err
	}
}

func (l *listener) Leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leaving = true
}
