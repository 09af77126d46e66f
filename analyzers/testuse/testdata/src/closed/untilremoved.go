package closed

import (
	"sync"
	"sync/atomic"
)

// A Following calls its followers for every item.
type Following interface {
	AddFollower(f func(int))
	RemoveFollower(f func(int))
	Subscribe(f func(int)) (cancel func())
	Each(f func(int))
}

func Follow(feed Following, send func(int) error) {
	done := make(chan struct{})
	f := func(i int) {
		if err := send(i); err != nil {
			close(done) // want `done is closed on each call that comes here, and feed.AddFollower goes on to call this function until it is removed: the second close panics`
		}
	}
	feed.AddFollower(f)
	defer feed.RemoveFollower(f)
	<-done
}

func Subscribed(feed Following) {
	done := make(chan struct{})
	cancel := feed.Subscribe(func(i int) {
		if i == 0 {
			close(done) // want `done is closed on each call that comes here, and feed.Subscribe goes on .*`
		}
	})
	<-done
	cancel()
}

// Once lets one of them close it.
func Once(feed Following) {
	done := make(chan struct{})
	var once sync.Once
	f := func(i int) { once.Do(func() { close(done) }) }
	feed.AddFollower(f)
	defer feed.RemoveFollower(f)
	<-done
}

// Flagged remembers that it has closed it.
func Flagged(feed Following) {
	done := make(chan struct{})
	var ended atomic.Bool
	f := func(i int) {
		if ended.CompareAndSwap(false, true) {
			close(done)
		}
	}
	feed.AddFollower(f)
	defer feed.RemoveFollower(f)
	<-done
}

// Looked looks, and one goroutine calls it.
func Looked(feed Following) {
	done := make(chan struct{})
	over := false
	f := func(i int) {
		if !over {
			over = true
			close(done)
		}
	}
	feed.AddFollower(f)
	defer feed.RemoveFollower(f)
	<-done
}

// Walk is over when Each returns.
func Walk(feed Following) {
	done := make(chan struct{})
	feed.Each(func(i int) { close(done) })
	<-done
}

// Ready is told once, as far as anybody knows.
func Ready(feed Following) {
	ready := make(chan struct{})
	feed.AddFollower(func(int) { close(ready) })
	<-ready
}
