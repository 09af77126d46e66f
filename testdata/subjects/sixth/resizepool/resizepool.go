// Package resizepool runs jobs on a pool of workers whose size may change.
package resizepool

import (
	"context"
	"errors"
	"fmt"
	"log"
	"runtime/debug"
	"sync"
	"time"
)

type Job func(ctx context.Context) error

var (
	ErrClosed  = errors.New("resizepool: closed")
	ErrTimeout = errors.New("resizepool: no worker took the job")
)

type stats struct {
	done, failed int
	busiest      time.Duration
}

type Pool struct {
	name string
	jobs chan Job
	quit chan struct{} // a token makes one worker leave
	wg   sync.WaitGroup

	mu     sync.Mutex
	size   int
	closed bool
	st     stats
}

func New(ctx context.Context, name string, size int) *Pool {
	p := &Pool{name: name, jobs: make(chan Job), quit: make(chan struct{})}
	p.Resize(ctx, size)
	return p
}

// Resize starts or retires workers.
func (p *Pool) Resize(ctx context.Context, size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || size < 1 {
		return
	}
	for ; p.size < size; p.size++ {
		p.wg.Go(func() { p.work(ctx) })
	}
	for ; p.size > size; p.size-- {
		go func() {
			select {
			case p.quit <- struct{}{}:
			case <-ctx.Done():
			}
		}()
	}
}

func (p *Pool) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.quit:
			return
		case j, ok := <-p.jobs:
			if !ok {
				return
			}
			start := time.Now()
			err := p.call(ctx, j)
			p.note(time.Since(start), err)
		}
	}
}

func (p *Pool) call(ctx context.Context, j Job) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return j(ctx)
}

func (p *Pool) note(took time.Duration, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.st.done++
	p.st.busiest = max(p.st.busiest, took)
	if err != nil {
		p.st.failed++
		log.Printf("%s: job failed after %v: %v", p.name, took, err)
	}
}

// Submit hands j to a worker, waiting at most d for one to be free.
func (p *Pool) Submit(ctx context.Context, j Job, d time.Duration) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	name, size := p.name, p.size
	p.mu.Unlock()

	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case p.jobs <- j:
		return nil
	case <-t.C:
		return fmt.Errorf("%w: %s has %d workers", ErrTimeout, name, size)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Shutdown lets the workers finish what they have.
func (p *Pool) Shutdown() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.jobs)
	}
	p.mu.Unlock()
	p.wg.Wait()
}
