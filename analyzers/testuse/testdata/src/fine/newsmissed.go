package fine

import (
	"sync"
	"time"
)

// A Tide closes its channel, and replaces it, when it advances; over is closed for good.
type Tide struct {
	mu   sync.Mutex
	at   int
	news chan struct{}
	over chan struct{}
}

func (f *Tide) Advance(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at += n
	close(f.news)
	f.news = make(chan struct{})
	if f.at > 100 {
		close(f.over)
	}
}

func (f *Tide) position() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at
}

func (f *Tide) next() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.news
}

func (f *Tide) both() (int, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at, f.news
}

func (f *Tide) end() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.over
}

func (f *Tide) WaitFirst(n int) {
	for {
		news := f.next()
		if f.position() >= n {
			return
		}
		<-news
	}
}

func (f *Tide) WaitBoth(n int) {
	for {
		at, news := f.both()
		if at >= n {
			return
		}
		<-news
	}
}

func (f *Tide) WaitAgain(n int) {
	for f.position() < n {
		news := f.next()
		if f.position() >= n {
			return
		}
		<-news
	}
}

func (f *Tide) WaitTime(n int) {
	for f.position() < n {
		select {
		case <-f.next():
		case <-time.After(time.Second):
		}
	}
}

func (f *Tide) WaitOver() {
	if f.position() <= 100 {
		<-f.end()
	}
}
