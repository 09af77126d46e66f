package fine

import (
	"context"
	"sync"
	"time"
)

// Awaited closes when the goroutine that sends has ended, by one way or the other.
func Awaited(ctx context.Context, next func() int) <-chan int {
	values := make(chan int)
	done := make(chan bool)
	go func() {
		defer close(done)
		values <- next()
	}()
	go func() {
		defer close(values)
		<-done
	}()
	return values
}

// ToldToStop looks at what the other one sets before it closes.
func ToldToStop(next func() int) <-chan int {
	var mu sync.Mutex
	stop := false
	values := make(chan int, 1)
	go func() {
		v := next()
		mu.Lock()
		defer mu.Unlock()
		if !stop {
			values <- v
		}
	}()
	go func() {
		defer close(values)
		select {
		case <-time.After(time.Second):
			mu.Lock()
			stop = true
			mu.Unlock()
		}
	}()
	return values
}

// Grouped waits for both.
func Grouped(ctx context.Context, next func() int) <-chan int {
	values := make(chan int)
	ended := make(chan bool)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		values <- next()
	}()
	go func() {
		wg.Wait()
		close(ended)
	}()
	go func() {
		defer close(values)
		select {
		case <-ended:
		}
	}()
	return values
}
