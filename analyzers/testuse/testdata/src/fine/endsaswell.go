package fine

import (
	"context"
	"sync"
)

type well interface {
	Flow(ctx context.Context, drops chan<- string) error
}

// Draw leaves it to a sync.Once.
func Draw(ctx context.Context, w well, pail chan<- string) {
	drops := make(chan string)
	var once sync.Once
	end := func() { once.Do(func() { close(pail) }) }
	go func() {
		defer close(drops)
		if err := w.Flow(ctx, drops); err != nil {
			end()
		}
	}()
	for d := range drops {
		pail <- d
	}
	end()
}

// DrawUntil returns before its end where the goroutine has closed the pail.
func DrawUntil(ctx context.Context, w well, pail chan<- string) {
	drops := make(chan string)
	failed := make(chan struct{})
	go func() {
		if err := w.Flow(ctx, drops); err != nil {
			close(pail)
			close(failed)
			return
		}
		close(drops)
	}()
	for {
		select {
		case _, ok := <-drops:
			if !ok {
				break
			}
			continue
		case <-failed:
			return
		}
		break
	}
	close(pail)
}

// DrawTwice closes another channel than its goroutine.
func DrawTwice(ctx context.Context, w well, first, second chan<- string) {
	drops := make(chan string)
	go func() {
		defer close(drops)
		if err := w.Flow(ctx, drops); err != nil {
			close(first)
		}
	}()
	for d := range drops {
		second <- d
	}
	close(second)
}

// DrawOr asks itself, in the function, what the goroutine has met.
func DrawOr(ctx context.Context, w well, pail chan<- string) {
	drops := make(chan string)
	var met error
	go func() {
		if met = w.Flow(ctx, drops); met != nil {
			close(pail)
		}
		close(drops)
	}()
	for range drops {
	}
	if met == nil {
		close(pail)
	}
}
