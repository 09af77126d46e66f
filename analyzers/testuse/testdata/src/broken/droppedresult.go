package broken

import (
	"sync"
	"sync/atomic"
)

// A planStep of a plan is begun when all that it needs is done.
type planStep struct {
	name  string
	then  []*planStep
	needs atomic.Int32
}

func (s *planStep) met()        { s.needs.Add(-1) }
func (s *planStep) ready() bool { return s.needs.Load() == 0 }
func (s *planStep) left() int32 { return s.needs.Load() }

// BuildPlan is carried out by several workers.
type BuildPlan struct {
	queue chan *planStep
	more  chan *planStep
	done  sync.WaitGroup
}

func (p *BuildPlan) Run(workers int, first []*planStep) {
	for _, s := range first {
		if s.ready() {
			p.queue <- s
		}
	}
	for range workers {
		go p.work()
		go p.workMore()
	}
	p.done.Wait()
}

func (p *BuildPlan) work() {
	for s := range p.queue {
		for _, next := range s.then {
			next.met() // want `the result of Add is dropped and next.needs \(in next.met\) is loaded again`
			if next.ready() {
				p.queue <- next
			}
		}
		p.done.Done()
	}
}

func (p *BuildPlan) workMore() {
	for s := range p.more {
		for _, next := range s.then {
			next.met() // want `the result of Add is dropped and next.needs \(in next.met\) is loaded again`
			if next.left() == 0 {
				p.more <- next
			}
		}
	}
}
