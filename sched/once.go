package sched

import (
	"sync"
	"unsafe"
)

// An onceRun is a Once.Do that is running.
type onceRun struct {
	runner  *Goroutine
	waiters []*Goroutine
}

func (r *onceRun) owners() []*Goroutine { return []*Goroutine{r.runner} }
func (r *onceRun) over(*engine) bool    { return false } // it is run under control

// OnceDo is o.Do(f). Whoever comes while another runs f waits for it here.
func OnceDo(o *sync.Once, f func()) (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	e, object := g.engine, unsafe.Pointer(o)
	if g.passing == object {
		// The call below, come back by way of the patched library.
		g.passing = nil
		leave(g)
		return false
	}
	e.point(g, Operation{Kind: OnceDoing, Object: object})
	for e.onces[object] != nil {
		run := e.onces[object]
		run.waiters = append(run.waiters, g)
		e.park(g, run)
	}
	run := &onceRun{runner: g}
	e.onces[object] = run
	g.passing = object
	leave(g)
	ran := false
	defer func() {
		g.reenter()
		g.passing = nil
		delete(e.onces, object)
		e.enableAll(run.waiters)
		if e.hybrid != nil {
			if ran {
				e.hybrid.send(object, g)
			}
			e.hybrid.receive(object, g)
		}
		leave(g)
	}()
	o.Do(func() {
		g.passing, ran = nil, true
		f()
	})
	return true
}
