package fine

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"time"
)

// RunOven has one goroutine that closes, for two events.
func RunOven(bake func(<-chan struct{})) {
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, os.Interrupt)
	quit := make(chan struct{})
	go func() {
		select {
		case <-sigs:
		case <-time.After(time.Minute):
		}
		close(quit)
	}()
	go bake(quit)
	<-quit
}

// RunKiln closes by a Once.
func RunKiln(ctx context.Context, fire func(<-chan struct{})) {
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, os.Interrupt)
	quit := make(chan struct{})
	var once sync.Once
	go func() {
		<-sigs
		once.Do(func() { close(quit) })
	}()
	go func() {
		<-ctx.Done()
		once.Do(func() { close(quit) })
	}()
	go fire(quit)
	<-quit
}

// RunStove has a channel for each event.
func RunStove(ctx context.Context, heat func(a, b <-chan struct{})) {
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, os.Interrupt)
	left, over := make(chan struct{}), make(chan struct{})
	go func() {
		<-sigs
		close(left)
	}()
	go func() {
		<-ctx.Done()
		close(over)
	}()
	go heat(left, over)
	<-left
	<-over
}
