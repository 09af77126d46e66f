package fine

import (
	"context"
	"sync"
)

// BearerOf hands on what comes, one goroutine for each, and waits for them.
type BearerOf struct {
	in   chan int
	out  chan int
	acks chan int
	wg   sync.WaitGroup
	end  context.CancelFunc
}

func NewBearerOf() *BearerOf {
	r := &BearerOf{in: make(chan int), out: make(chan int), acks: make(chan int)}
	ctx, cancel := context.WithCancel(context.Background())
	r.end = cancel
	go r.run(ctx)
	go r.ack(ctx)
	return r
}

func (r *BearerOf) Out() <-chan int { return r.out }

func (r *BearerOf) Stop() { r.end() }

func (r *BearerOf) run(ctx context.Context) {
	defer func() {
		r.wg.Wait()
		close(r.out)
	}()
	for {
		select {
		case v := <-r.in:
			r.forward(ctx, v)
		case <-ctx.Done():
			return
		}
	}
}

func (r *BearerOf) forward(ctx context.Context, v int) {
	r.wg.Add(1)
	go func() {
		defer r.wg.Done()
		select {
		case r.out <- v:
		case <-ctx.Done():
		}
	}()
}

// ack sends itself.
func (r *BearerOf) ack(ctx context.Context) {
	defer close(r.acks)
	for {
		select {
		case v := <-r.in:
			r.send(ctx, v)
		case <-ctx.Done():
			return
		}
	}
}

func (r *BearerOf) send(ctx context.Context, v int) {
	select {
	case r.acks <- v:
	case <-ctx.Done():
	}
}
