// Package tblead elects: a leader of a lower term is refused, and one that is not over is kept.
package tblead

import (
	"sync"
	"time"
)

// An Election has a leader for a while.
type Election struct {
	mu     sync.Mutex
	leader string
	until  time.Time
	term   int
}

// Leader is who leads.
func (e *Election) Leader() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.leader
}

// acquire makes id the leader, unless another one is it still.
func (e *Election) acquire(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leader != id && time.Now().Before(e.until) {
		return false
	}
	e.leader = id
	e.until = time.Now().Add(time.Second)
	return true
}

// follow takes the leader of a term that is not lower.
func (e *Election) follow(id string, term int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if term < e.term || e.leader == id {
		return
	}
	e.term = term
	e.leader = id
}

// Campaign leads if nobody does.
func (e *Election) Campaign(id string) bool {
	if e.Leader() != "" {
		return false
	}
	return e.acquire(id)
}

// Heard hears of a leader.
func (e *Election) Heard(id string, term int) {
	if e.Leader() != id {
		e.follow(id, term)
	}
}

// Resign ends it.
func (e *Election) Resign(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leader == id {
		e.leader, e.until = "", time.Time{}
	}
}
