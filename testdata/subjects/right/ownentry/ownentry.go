// Package ownentry gives each worker an entry of its own.
package ownentry

import "sync"

type stat struct{ jobs, bytes int }

func (s *stat) add(n int) {
	s.jobs++
	s.bytes += n
}

func (s *stat) reset() { *s = stat{} }

// Pool has workers.
type Pool struct {
	mu    sync.RWMutex
	stats []*stat
	jobs  chan []byte
}

// New starts n workers.
func New(n int) *Pool {
	p := &Pool{jobs: make(chan []byte)}
	for range n {
		p.stats = append(p.stats, new(stat))
	}
	for i := range n {
		go p.work(i)
	}
	return p
}

// work. Right: each worker changes the entry with its own number alone; the lock for reading
// keeps out those who look at all of them.
func (p *Pool) work(id int) {
	for b := range p.jobs {
		p.mu.RLock()
		p.stats[id].add(len(b))
		p.mu.RUnlock()
	}
}

// Reset looks at all of them.
func (p *Pool) Reset() (total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, s := range p.stats {
		total += s.jobs
		p.stats[i].reset()
	}
	return total
}

// Do gives a job.
func (p *Pool) Do(b []byte) { p.jobs <- b }
