package fine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Tailer has a goroutine for each reader, which looks first whether the feed is closed: one
// that was counted too late to be waited for uses nothing.
type Tailer struct {
	closed atomic.Bool
	quit   chan struct{}
	lines  chan string
	group  sync.WaitGroup
	source *[]string
}

func (f *Tailer) Follow(out chan<- string) bool {
	if f.closed.Load() {
		return false
	}
	f.group.Add(1)
	go func() {
		defer f.group.Done()
	reading:
		for {
			select {
			case <-f.quit:
				break reading
			default:
			}
			select {
			case <-f.quit:
				break reading
			case line := <-f.lines:
				*f.source = append(*f.source, line)
				out <- line
			}
		}
	}()
	return true
}

func (f *Tailer) FollowTimes() bool {
	if f.closed.Load() {
		return false
	}
	f.group.Add(1)
	go f.tick(time.Second)
	return true
}

func (f *Tailer) tick(d time.Duration) {
	defer f.group.Done()
	ticker := time.NewTicker(d)
	for {
		select {
		case <-ticker.C:
			*f.source = append(*f.source, "tick")
		case <-f.quit:
			return
		}
	}
}

func (f *Tailer) FollowFlag() bool {
	if f.closed.Load() {
		return false
	}
	f.group.Add(1)
	go func() {
		defer f.group.Done()
		if f.closed.Load() {
			return
		}
		*f.source = nil
	}()
	return true
}

func (f *Tailer) Close() {
	if f.closed.Swap(true) {
		return
	}
	close(f.quit)
	f.group.Wait()
	f.source = nil
}

// Lighthouse does the same with a context.
type Lighthouse struct {
	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup
	lamp   *int
}

func (b *Lighthouse) Flash() {
	select {
	case <-b.ctx.Done():
		return
	default:
	}
	b.group.Add(1)
	go func() {
		defer b.group.Done()
		for {
			select {
			case <-b.ctx.Done():
				return
			case <-time.After(time.Second):
				*b.lamp++
			}
		}
	}()
}

func (b *Lighthouse) Close() {
	b.cancel()
	b.group.Wait()
	b.lamp = nil
}
