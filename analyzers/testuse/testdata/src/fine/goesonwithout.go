package fine

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Rowboat leaves its channel open where those that send are late.
type Rowboat struct {
	events chan string
	wg     sync.WaitGroup
	once   sync.Once
	stop   context.CancelFunc
}

func NewRowboat(lines <-chan string) *Rowboat {
	ctx, cancel := context.WithCancel(context.Background())
	r := &Rowboat{events: make(chan string, 8), stop: cancel}
	r.wg.Add(1)
	go r.read(ctx, lines)
	return r
}

func (r *Rowboat) read(ctx context.Context, lines <-chan string) {
	defer r.wg.Done()
	for l := range lines {
		select {
		case r.events <- l:
		case <-ctx.Done():
			return
		}
	}
}

func (r *Rowboat) Close() error {
	r.stop()
	done := make(chan struct{})
	go func() {
		r.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		return errors.New("still reading")
	}
	r.once.Do(func() { close(r.events) })
	return nil
}

// Coracle waits on, once it has asked more firmly.
type Coracle struct {
	events chan string
	wg     sync.WaitGroup
	once   sync.Once
	stop   context.CancelFunc
	abort  func()
}

func NewCoracle(lines <-chan string, abort func()) *Coracle {
	ctx, cancel := context.WithCancel(context.Background())
	b := &Coracle{events: make(chan string, 8), stop: cancel, abort: abort}
	b.wg.Add(1)
	go b.read(ctx, lines)
	return b
}

func (b *Coracle) read(ctx context.Context, lines <-chan string) {
	defer b.wg.Done()
	for l := range lines {
		select {
		case b.events <- l:
		case <-ctx.Done():
			return
		}
	}
}

func (b *Coracle) Close() error {
	b.stop()
	done := make(chan struct{})
	go func() {
		b.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		b.abort()
		<-done
	}
	b.once.Do(func() { close(b.events) })
	return nil
}

// Pontoon tells of it each second that it still waits.
type Pontoon struct {
	events chan string
	wg     sync.WaitGroup
	once   sync.Once
	stop   context.CancelFunc
}

func NewPontoon(lines <-chan string) *Pontoon {
	ctx, cancel := context.WithCancel(context.Background())
	r := &Pontoon{events: make(chan string, 8), stop: cancel}
	r.wg.Add(1)
	go r.read(ctx, lines)
	return r
}

func (r *Pontoon) read(ctx context.Context, lines <-chan string) {
	defer r.wg.Done()
	for l := range lines {
		select {
		case r.events <- l:
		case <-ctx.Done():
			return
		}
	}
}

func (r *Pontoon) Close() error {
	r.stop()
	done := make(chan struct{})
	go func() {
		r.wg.Wait()
		close(done)
	}()
	for waits := true; waits; {
		select {
		case <-done:
			waits = false
		case <-time.After(time.Second):
			println("still reading")
		}
	}
	r.once.Do(func() { close(r.events) })
	return nil
}
