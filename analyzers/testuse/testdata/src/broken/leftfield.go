package broken

import "context"

// PassingOn hands on what comes, one goroutine for each.
type PassingOn struct {
	in  chan int
	out chan int
	log chan int
	end context.CancelFunc
}

func NewPassingOn() *PassingOn {
	r := &PassingOn{in: make(chan int), out: make(chan int), log: make(chan int)}
	ctx, cancel := context.WithCancel(context.Background())
	r.end = cancel
	go r.run(ctx)
	go r.note(ctx)
	return r
}

func (r *PassingOn) Out() <-chan int { return r.out }

func (r *PassingOn) Stop() { r.end() }

func (r *PassingOn) run(ctx context.Context) {
	defer func() {
		close(r.out) // want `r.out is closed here as soon as the context ends, while a goroutine that \(\*PassingOn\).forward starts may still be about to send on it`
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

func (r *PassingOn) forward(ctx context.Context, v int) {
	go func() {
		select {
		case r.out <- v:
		case <-ctx.Done():
		}
	}()
}

func (r *PassingOn) note(ctx context.Context) {
	defer close(r.log) // want `r.log is closed here as soon as the context ends, while a goroutine that \(\*PassingOn\).note starts`
	sub, cancel := context.WithCancel(ctx)
	defer cancel()
	for {
		select {
		case v := <-r.in:
			go func() {
				r.log <- v
			}()
		case <-sub.Done():
			return
		}
	}
}
