package broken

import (
	"context"
	"errors"
	"sync"
)

// Packets keeps packets.
type Packets struct {
	mu sync.Mutex
	ch chan []byte
}

// The look comes first.
func (p *Packets) Close() error {
loop:
	for {
		select {
		case _, ok := <-p.ch: // want `two goroutines can both find p.ch open and close it twice: p.mu is taken only afterwards`
			if !ok {
				return errors.New("closed already")
			}
		default:
			p.mu.Lock()
			close(p.ch)
			p.mu.Unlock()
			break loop
		}
	}
	return nil
}

type until struct {
	ctx  context.Context
	done chan struct{}
}

func (u *until) end() {
	select {
	case <-u.done: // want `two goroutines can both find u.done open and close it twice: the look and close are two operations`
	default:
		close(u.done)
	}
}

func (u *until) listen() {
	select {
	case <-u.ctx.Done():
		u.end()
	case <-u.done:
	}
}

// The goroutine and what is deferred may both come to the end.
func work(ctx context.Context, do func(<-chan struct{})) {
	u := &until{ctx: ctx, done: make(chan struct{})}
	defer u.end()
	go u.listen()
	do(u.done)
}

// Work works.
func Work(ctx context.Context) { work(ctx, func(<-chan struct{}) {}) }
