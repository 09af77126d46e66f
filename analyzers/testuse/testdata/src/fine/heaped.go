package fine

import (
	"container/heap"
	"sync"
)

type duty struct {
	label string
	due   int
}

type duties []*duty

func (p duties) Len() int           { return len(p) }
func (p duties) Less(i, j int) bool { return p[i].due < p[j].due }
func (p duties) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *duties) Push(x any)        { *p = append(*p, x.(*duty)) }
func (p *duties) Pop() any {
	last := len(*p) - 1
	x := (*p)[last]
	*p = (*p)[:last]
	return x
}

// ChoreRunner looks and acts under one lock.
type ChoreRunner struct {
	mu      sync.RWMutex
	waiting duties
	told    int
}

func (r *ChoreRunner) find(label string) *duty {
	for _, e := range r.waiting {
		if e.label == label {
			return e
		}
	}
	return nil
}

func (r *ChoreRunner) Send(e *duty) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.find(e.label) == nil {
		heap.Push(&r.waiting, e)
	}
}

func (r *ChoreRunner) Next() *duty {
	r.mu.RLock()
	empty := len(r.waiting) == 0
	r.mu.RUnlock()
	if empty {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting.Len() == 0 {
		return nil
	}
	return heap.Pop(&r.waiting).(*duty)
}

// What is found is told of, and nothing is put in.
func (r *ChoreRunner) Tell(label string) bool {
	r.mu.RLock()
	var there *duty
	for _, e := range r.waiting {
		if e.label == label {
			there = e
		}
	}
	r.mu.RUnlock()
	if there == nil {
		return false
	}
	r.mu.Lock()
	r.told++
	r.mu.Unlock()
	return true
}
