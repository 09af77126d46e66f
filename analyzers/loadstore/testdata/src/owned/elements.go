package owned

import "sync/atomic"

// Pool has each of its workers run by a goroutine of its own.
type Pool struct {
	workers []*Worker
	leader  *Worker
}

type Worker struct{ done, helped, tested atomic.Int64 }

func (p *Pool) Start() {
	for _, w := range p.workers {
		go p.run(w)
	}
	for _, w := range p.workers {
		go p.help(w, p.leader)
	}
	for i := range p.workers {
		go func() { p.workers[i%2].test() }()
	}
}

// run is called for each worker by one goroutine.
func (p *Pool) run(w *Worker) {
	n := w.done.Load()
	w.done.Store(n + 1)
}

// help is given one worker more, which is the same for all.
func (p *Pool) help(w, leader *Worker) {
	n := leader.helped.Load() // want `two goroutines can both read leader.helped before either stores it`
	leader.helped.Store(n + 1)
}

// test is called for the same worker by several goroutines.
func (w *Worker) test() {
	n := w.tested.Load() // want `two goroutines can both read w.tested before either stores it`
	w.tested.Store(n + 1)
}
