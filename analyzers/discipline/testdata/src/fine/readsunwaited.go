package fine

import (
	"context"
	"errors"
	"os"
	"time"
)

// Glance says that it has given up.
func Glance(ctx context.Context, name string) ([]byte, error) {
	var data []byte
	var err error
	done := make(chan struct{})
	go func() {
		data, err = os.ReadFile(name)
		close(done)
	}()
	select {
	case <-done:
		return data, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Scan waits for the goroutine in the end.
func Scan(name string) (n int, err error) {
	done := make(chan struct{})
	go func() {
		var b []byte
		b, err = os.ReadFile(name)
		n = len(b)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		println("it takes long")
		<-done
	}
	return n, err
}

// Skim takes what the goroutine sends.
func Skim(name string) (string, error) {
	var lost error
	out := make(chan string, 1)
	go func() {
		b, err := os.ReadFile(name)
		if err != nil {
			lost = err
		}
		out <- string(b)
	}()
	select {
	case s := <-out:
		return s, lost
	case <-time.After(time.Second):
		return "", errors.New("too late")
	}
}
