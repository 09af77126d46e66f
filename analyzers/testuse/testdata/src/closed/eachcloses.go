package closed

import (
	"context"
	"errors"
	"log"
	"sync"
	"sync/atomic"
)

// Any is closed when one of the others is.
func Any(ins ...<-chan struct{}) <-chan struct{} {
	out := make(chan struct{})
	for _, in := range ins {
		go func() { // want `each of the goroutines that are started here can close out, and the second one panics: nothing chooses one of them`
			select {
			case <-in:
				close(out)
			case <-out:
			}
		}()
	}
	return out
}

// Work has workers that all say that it is over.
func Work(n int, jobs <-chan int, results chan<- int) {
	for range n {
		go func() { // want `each of the goroutines that are started here can close results`
			defer close(results)
			for j := range jobs {
				results <- j
			}
		}()
	}
}

var errFailed = errors.New("failed")

func try(n int) error {
	if n < 0 {
		return errFailed
	}
	return nil
}

// Try ends all when one fails.
func Try(list []int) {
	failed := make(chan struct{})
	var wg sync.WaitGroup
	for _, n := range list {
		wg.Go(func() { // want `each of the goroutines that are started here can close failed`
			if err := try(n); err != nil {
				close(failed)
			}
		})
	}
	wg.Wait()
}

// AnyOnce has a sync.Once.
func AnyOnce(ins ...<-chan struct{}) <-chan struct{} {
	out := make(chan struct{})
	var once sync.Once
	for _, in := range ins {
		go func() {
			select {
			case <-in:
				once.Do(func() { close(out) })
			case <-out:
			}
		}()
	}
	return out
}

// Last is closed by the last worker.
func Last(n int, jobs <-chan int, results chan<- int) {
	var left atomic.Int32
	left.Store(int32(n))
	for range n {
		go func() {
			for j := range jobs {
				results <- j
			}
			if left.Add(-1) == 0 {
				close(results)
			}
		}()
	}
}

// Locked has a flag.
func Locked(ins ...<-chan struct{}) <-chan struct{} {
	out := make(chan struct{})
	var mu sync.Mutex
	closed := false
	for _, in := range ins {
		go func() {
			<-in
			mu.Lock()
			defer mu.Unlock()
			if !closed {
				closed = true
				close(out)
			}
		}()
	}
	return out
}

// First is closed by who gets the token, of which there is one.
func First(n int) <-chan struct{} {
	out := make(chan struct{})
	token := make(chan int, 1)
	token <- 1
	for range n {
		go func() {
			<-token
			close(out)
		}()
	}
	return out
}

// Leader is one of them.
func Leader(n int) <-chan struct{} {
	out := make(chan struct{})
	for i := range n {
		go func() {
			if i == 0 {
				close(out)
			}
		}()
	}
	for i := range n {
		if i == 0 {
			go func() { close(out) }()
		}
	}
	return out
}

// Each has a channel for each.
func Each(ctx context.Context, n int) []<-chan struct{} {
	var list []<-chan struct{}
	var last chan struct{}
	for range n {
		out := make(chan struct{})
		last = make(chan struct{})
		go func() {
			defer close(out)
			<-ctx.Done()
		}()
		list = append(list, out, last)
	}
	chans := make([]chan struct{}, n)
	for i := range n {
		go func() {
			close(chans[i])
		}()
	}
	return list
}

// Broken leaves the loop with the first.
func Broken(ins ...<-chan struct{}) <-chan struct{} {
	out := make(chan struct{})
	for _, in := range ins {
		go func() {
			<-in
			close(out)
		}()
		break
	}
	return out
}

// Survives knows of it.
func Survives(ins ...<-chan struct{}) <-chan struct{} {
	out := make(chan struct{})
	for _, in := range ins {
		go func() {
			defer func() { recover() }()
			<-in
			close(out)
		}()
	}
	return out
}

// fetchEach ends the program where there is nothing to fetch.
func fetchEach(names []string, open func(string) (<-chan int, error)) {
	ready := make(chan struct{})
	for _, name := range names {
		in, err := open(name)
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		go func() { // want `each of the goroutines that are started here can close ready, and the second one panics: nothing chooses one of them`
			defer close(ready)
			<-in
		}()
	}
	<-ready
}

// fetchOne chooses the first.
func fetchOne(names []string, open func(string) (<-chan int, error)) {
	ready := make(chan struct{})
	for i, name := range names {
		in, err := open(name)
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		if i == 0 {
			go func() {
				defer close(ready)
				<-in
			}()
		}
	}
	<-ready
}
