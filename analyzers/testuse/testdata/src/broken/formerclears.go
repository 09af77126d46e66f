package broken

import (
	"context"
	"sync"
	"sync/atomic"
)

// Kiln is fired by a goroutine, and can be put out and fired again.
type Kiln struct {
	mu    sync.Mutex
	lit   atomic.Bool
	quit  context.CancelFunc
	stoke func()
}

func (k *Kiln) Fire() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.lit.CompareAndSwap(false, true) { // want `k.lit is taken back by the goroutine that is started then, and by \(\*Kiln\).PutOut as well`
		return false
	}
	ctx, quit := context.WithCancel(context.Background())
	k.quit = quit
	go func() {
		defer k.lit.Store(false)
		for ctx.Err() == nil {
			k.stoke()
		}
	}()
	return true
}

func (k *Kiln) PutOut() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.lit.Load() {
		k.quit()
		k.lit.Store(false)
	}
}

// Forge is the same by a method, and a number.
type Forge struct {
	hot   int32
	quit  chan struct{}
	stoke func()
}

func (f *Forge) Heat() bool {
	if !atomic.CompareAndSwapInt32(&f.hot, 0, 1) { // want `f.hot is taken back by the goroutine that is started then, and by \(\*Forge\).Cool as well`
		return false
	}
	go f.work()
	return true
}

func (f *Forge) work() {
	for {
		select {
		case <-f.quit:
			atomic.StoreInt32(&f.hot, 0)
			return
		default:
			f.stoke()
		}
	}
}

func (f *Forge) Cool() {
	if atomic.CompareAndSwapInt32(&f.hot, 1, 0) {
		f.quit <- struct{}{}
	}
}
