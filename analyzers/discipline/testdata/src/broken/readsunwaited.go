package broken

import (
	"context"
	"os"
	"time"
)

// Slurp reads a file as long as the context allows.
func Slurp(ctx context.Context, name string) ([]byte, error) {
	var data []byte
	var err error
	done := make(chan struct{})
	go func() {
		data, err = os.ReadFile(name)
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	return data, err // want `data is read here though the wait for the goroutine that stores it was given up`
}

// Peek gives what there is after a second.
func Peek(name string) (data []byte, err error) {
	done := make(chan bool, 1)
	go func() {
		data, err = os.ReadFile(name)
		done <- true
	}()
	select {
	case <-done:
		return data, nil
	case <-time.After(time.Second):
		return // want `data is read here though the wait for the goroutine that stores it was given up`
	}
}
