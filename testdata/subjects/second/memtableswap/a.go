package memtableswap

import (
	"errors"
	"sync"
)

var ErrStopped = errors.New("memtable: stopped")

type Flusher struct {
	mu      sync.Mutex
	space   *sync.Cond
	size    int
	limit   int
	stopped bool
	flush   func(int) error
	flushMu sync.Mutex
}

func New(limit int, flush func(int) error) *Flusher {
	f := &Flusher{limit: limit, flush: flush}
	f.space = sync.NewCond(&f.mu)
	return f
}

func (f *Flusher) WaitSpace(n int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.size+n > f.limit {
		if f.stopped {
			return ErrStopped
		}
		f.space.Wait()
	}
	f.size += n
	return nil
}

func (f *Flusher) FlushOnce() error {
	f.flushMu.Lock()
	defer f.flushMu.Unlock()
	f.mu.Lock()
	n := f.size
	f.mu.Unlock()
	if err := f.flush(n); err != nil {
		return err
	}
	f.mu.Lock()
	f.size -= min(n, f.size)
	f.mu.Unlock()
	f.space.Broadcast()
	return nil
}

func (f *Flusher) Stop() {
	f.mu.Lock()
	f.stopped = true
	f.mu.Unlock()
	f.space.Broadcast()
}
