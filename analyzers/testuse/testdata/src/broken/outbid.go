package broken

import "sync"

type voter struct{ match int }

// A Quorum tells its hooks of a new mark without the lock.
type Quorum struct {
	mu     sync.Mutex
	term   int
	best   int
	mark   int
	voters map[string]*voter
	hooks  []func(int)
}

func (q *Quorum) tell(n int) {
	hooks := q.hooks
	q.mu.Unlock()
	for _, f := range hooks {
		f(n)
	}
	q.mu.Lock()
}

// Vote comes through once for each term, and terms rise.
func (q *Quorum) Vote(term, best int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if term <= q.term {
		return
	}
	q.term = term
	if best > q.best { // want `two goroutines can both pass the test of q.best and both set it: q.mu is released in between`
		q.tell(best)
		q.best = best
	}
}

// Match comes through once for each voter and index.
func (q *Quorum) Match(name string, index int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	v := q.voters[name]
	if v.match == index {
		return
	}
	v.match = index
	if index > q.mark { // want `two goroutines can both pass the test of q.mark and both set it: q.mu is released in between`
		q.tell(index)
		q.mark = index
	}
}
