package fine

import (
	"sync"
	"sync/atomic"
)

// A planStep of a plan is begun when all that it needs is done.
type planStep struct {
	then  []*planStep
	needs atomic.Int32
	count atomic.Int32
}

func (s *planStep) met() bool { return s.needs.Add(-1) == 0 }

func (s *planStep) counted()    { s.count.Add(-1) }
func (s *planStep) ready() bool { return s.count.Load() == 0 }

// BuildPlan is carried out by several workers.
type BuildPlan struct {
	queue chan *planStep
	mu    sync.Mutex
}

func (p *BuildPlan) Run(workers int) {
	for range workers {
		go p.work()
	}
}

func (p *BuildPlan) work() {
	for s := range p.queue {
		for _, next := range s.then {
			if next.met() {
				p.queue <- next
			}
			p.mu.Lock()
			next.counted()
			if next.ready() {
				p.queue <- next
			}
			p.mu.Unlock()
		}
	}
}
