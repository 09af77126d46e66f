package owned

import "sync/atomic"

// Pool has each of its workers run by a goroutine of its own.
type Pool struct {
	workers []*Worker
	leader  *Worker
}

type Worker struct{ done, helped, tested, counted, copied, first atomic.Int64 }

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
	for i := 0; i < len(p.workers); i++ {
		go p.count(p.workers[i])
	}
	for i := range p.workers {
		w := p.workers[i]
		go func() { p.copy(w) }()
	}
	for i := 0; i < len(p.workers); i++ {
		go p.look(p.workers[0], i)
	}
}

// count is called for each worker by one goroutine.
func (p *Pool) count(w *Worker) {
	n := w.counted.Load()
	w.counted.Store(n + 1)
}

// copy is called for each worker by one goroutine.
func (p *Pool) copy(w *Worker) {
	n := w.copied.Load()
	w.copied.Store(n + 1)
}

// look is called for the first worker by several goroutines.
func (p *Pool) look(w *Worker, by int) {
	n := w.first.Load() // want `two goroutines can both read w.first before either stores it`
	w.first.Store(n + int64(by))
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
