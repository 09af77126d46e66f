package fine

import (
	"sync"
	"sync/atomic"
)

// sluice is opened under the lock of what it belongs to.
type sluice struct{ open chan struct{} }

func (g *sluice) enable() {
	select {
	case <-g.open:
	default:
		close(g.open)
	}
}

// Front and Back have a sluice each.
type Front struct {
	mu     sync.Mutex
	sluice *sluice
}

func (f *Front) Enter() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sluice.enable()
}

type Back struct {
	lock   sync.RWMutex
	sluice *sluice
}

func (b *Back) Enter() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.sluice.enable()
}

// Probe is made by one goroutine at a time, to which the lock is handed.
type Probe struct {
	mu     sync.Mutex
	online atomic.Bool
	notify func()
}

func (p *Probe) Check(ok func() bool) {
	if !p.mu.TryLock() {
		return
	}
	if !p.online.Load() {
		p.mu.Unlock()
		return
	}
	go func() {
		defer p.mu.Unlock()
		if ok() {
			return
		}
		p.online.Store(false)
		p.notify()
	}()
}

func (p *Probe) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.online.Store(true)
}
