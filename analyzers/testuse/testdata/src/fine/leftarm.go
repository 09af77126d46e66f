package fine

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

var errNotInTime = errors.New("not in time")

// Nobody closes: what comes late stays in the channel.
func Tasted(ctx context.Context, taste func() int) (int, error) {
	taken := make(chan int, 1)
	go func() { taken <- taste() }()
	select {
	case w := <-taken:
		return w, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// The goroutine that sends is the one that closes.
func Listed(ctx context.Context, list []string) error {
	names := make(chan string)
	go func() {
		defer close(names)
		for _, name := range list {
			select {
			case names <- name:
			case <-ctx.Done():
				return
			}
		}
	}()
	select {
	case <-names:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// What the other arm waits for is what the goroutine says after it has sent for the last time.
func Pages(r io.Reader, use func([]byte)) error {
	pages := make(chan []byte)
	failed := make(chan error, 1)
	go func() {
		for {
			page := make([]byte, 512)
			n, err := r.Read(page)
			if err != nil {
				failed <- err
				return
			}
			pages <- page[:n]
		}
	}()
	for {
		select {
		case p := <-pages:
			use(p)
		case err := <-failed:
			close(pages)
			return err
		}
	}
}

// The goroutine is waited for.
func Scanned(r io.ReadCloser, use func(byte), stop <-chan struct{}) {
	found := make(chan byte, 16)
	var scanning sync.WaitGroup
	scanning.Add(1)
	go func() {
		defer scanning.Done()
		var b [1]byte
		for {
			if _, err := r.Read(b[:]); err != nil {
				return
			}
			select {
			case found <- b[0]:
			case <-stop:
				return
			}
		}
	}()
	for {
		select {
		case b := <-found:
			use(b)
		case <-stop:
			r.Close()
			scanning.Wait()
			close(found)
			return
		}
	}
}

// The goroutine recovers.
func Guessed(guess func() int, d time.Duration) (int, error) {
	guesses := make(chan int)
	defer close(guesses)
	go func() {
		defer func() { _ = recover() }()
		guesses <- guess()
	}()
	select {
	case g := <-guesses:
		return g, nil
	case <-time.After(d):
		return 0, errNotInTime
	}
}

// The goroutine sends under a lock that its end is told under.
func Drawn(draw func() int, d time.Duration) (int, error) {
	cards := make(chan int, 1)
	var mu sync.Mutex
	over := false
	go func() {
		card := draw()
		mu.Lock()
		defer mu.Unlock()
		if !over {
			cards <- card
		}
	}()
	select {
	case c := <-cards:
		return c, nil
	case <-time.After(d):
		mu.Lock()
		over = true
		close(cards)
		mu.Unlock()
		return 0, errNotInTime
	}
}

// The goroutine is given a function that sends, and closes the channel itself.
func FirstOf(ctx context.Context, each func(func(int))) (int, error) {
	numbers := make(chan int, 1)
	go func() {
		defer close(numbers)
		each(func(n int) {
			select {
			case numbers <- n:
			case <-ctx.Done():
			}
		})
	}()
	select {
	case n := <-numbers:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
