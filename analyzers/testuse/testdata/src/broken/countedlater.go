package broken

import (
	"context"
	"sync"
)

// Unit runs functions until it is cancelled.
type Unit struct {
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

func (u *Unit) Launch(f func()) {
	select {
	case <-u.ctx.Done(): // want `between this look at u.ctx and the Add, \(\*Unit\).Done can give the signal and wait for u.wg, which has not counted this one`
		return
	default:
	}
	u.wg.Add(1)
	go func() {
		defer u.wg.Done()
		f()
	}()
}

func (u *Unit) Done() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		u.cancel()
		u.wg.Wait()
		close(done)
	}()
	return done
}

// TaskGroup runs functions until it is closed.
type TaskGroup struct {
	quit chan struct{}
	once sync.Once
	wg   sync.WaitGroup
}

func (g *TaskGroup) Run(f func()) bool {
	select {
	case <-g.quit: // want `between this look at g.quit and the Add, \(\*TaskGroup\).Close can give the signal and wait for g.wg`
		return false
	default:
	}
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		f()
	}()
	return true
}

func (g *TaskGroup) Close() {
	g.once.Do(func() { close(g.quit) })
	g.wg.Wait()
}
