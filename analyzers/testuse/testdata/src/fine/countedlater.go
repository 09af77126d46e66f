package fine

import (
	"context"
	"sync"
)

// Unit runs functions until it is cancelled.
type Unit struct {
	ctx    context.Context
	cancel context.CancelFunc
	mu     sync.RWMutex
	wg     sync.WaitGroup
}

// The lock keeps the one who cancels away.
func (u *Unit) Launch(f func()) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	select {
	case <-u.ctx.Done():
		return
	default:
	}
	u.wg.Add(1)
	go func() {
		defer u.wg.Done()
		f()
	}()
}

// It counts itself first.
func (u *Unit) First(f func()) {
	u.wg.Add(1)
	defer u.wg.Done()
	select {
	case <-u.ctx.Done():
		return
	default:
	}
	f()
}

func (u *Unit) Close() {
	u.mu.Lock()
	u.cancel()
	u.mu.Unlock()
	u.wg.Wait()
}

// Drain waits for those who were let in, and tells nobody to end.
type Drain struct {
	ctx context.Context
	wg  sync.WaitGroup
}

func (d *Drain) Launch(f func()) {
	select {
	case <-d.ctx.Done():
		return
	default:
	}
	d.wg.Add(1)
	go func() {
		defer d.wg.Done()
		f()
	}()
}

func (d *Drain) Wait() { d.wg.Wait() }
