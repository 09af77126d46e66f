package broken

import (
	"context"
	"sync"
)

// A Tide closes its channel, and replaces it, when it advances.
type Tide struct {
	mu   sync.Mutex
	at   int
	news chan struct{}
}

func (f *Tide) Advance(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at += n
	f.wake()
}

func (f *Tide) wake() {
	close(f.news)
	f.news = make(chan struct{})
}

func (f *Tide) position() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at
}

func (f *Tide) reached(n int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at >= n
}

func (f *Tide) next() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.news
}

func (f *Tide) WaitNumber(n int) {
	for f.position() < n { // want `f.at can change, and f.news be closed, between the test and here, where the channel is taken in another critical section: \(\*Tide\).Advance has put the next one there by then`
		<-f.next()
	}
}

func (f *Tide) WaitAnswer(ctx context.Context, n int) error {
	for !f.reached(n) { // want `f.at can change, and f.news be closed, between the test and here, where the channel is taken in another critical section: \(\*Tide\).Advance has put the next one there by then`
		news := f.next()
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
