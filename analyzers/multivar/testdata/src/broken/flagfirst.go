package broken

import "sync"

type Chores struct {
	mu   sync.Mutex
	n    int
	done bool
	err  error
}

func (e *Chores) finish(n int, err error) {
	e.mu.Lock()
	e.n, e.done = n, true // want `e.done is set in an earlier critical section than e.err: \(\*Chores\).State, which returns both, can say that it is done without what has come of it`
	e.mu.Unlock()
	if err != nil {
		e.fail(err)
	}
}

func (e *Chores) fail(err error) {
	e.mu.Lock()
	e.err = err
	e.mu.Unlock()
}

func (e *Chores) Run(f func() (int, error)) {
	go func() { e.finish(f()) }()
}

func (e *Chores) State() (bool, int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.done, e.n, e.err
}

// A Routing is told by its version whether it has changed.
type Routing struct {
	mu      sync.RWMutex
	version int
	table   map[string]string
}

func (r *Routing) Replace(table map[string]string) {
	r.mu.Lock()
	r.table = table // want `r.table is set in an earlier critical section than r.version: \(\*Routing\).Table, which returns both, can return the one without the other`
	r.mu.Unlock()
	r.mu.Lock()
	r.version++
	r.mu.Unlock()
}

func (r *Routing) Table() (int, map[string]string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version, r.table
}
