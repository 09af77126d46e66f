package broken

import (
	"context"
	"sync"
)

type mark struct{ number int64 }

// replayer moves its mark on as the workers finish what they were given.
type replayer struct {
	in   chan mark
	work chan mark

	mu   sync.Mutex
	low  int64
	done map[int64]bool
}

func NewReplayer() *replayer {
	r := &replayer{in: make(chan mark), work: make(chan mark), done: map[int64]bool{}}
	for range 4 {
		go func() {
			for m := range r.work {
				r.finished(m.number)
			}
		}()
	}
	return r
}

func (r *replayer) Replay(ctx context.Context) error {
	for {
		select {
		case m := <-r.in:
			if r.low == 0 && m.number > 0 {
				r.low = m.number - 1 // want `r.low is accessed here without the lock that all other functions hold for it: r.mu in \(\*replayer\).finished`
			}
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

// listener stops when it is told to, as soon as it looks.
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
		if l.leaving { // want `l.leaving is tested here without l.mu, which all functions hold that write it, as \(\*listener\).Leave does`
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
