package fine

import "sync"

// An Chores is done when all is there.
type Chores struct {
	mu    sync.Mutex
	n     int
	done  bool
	begun bool
	err   error
}

func (e *Chores) finish(n int, err error) {
	e.mu.Lock()
	e.begun = true
	e.mu.Unlock()
	if err != nil {
		e.mu.Lock()
		e.err = err
		e.mu.Unlock()
	}
	e.mu.Lock()
	e.n, e.done = n, true
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

func (e *Chores) Begun() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.begun
}

// A Routing is told by its version whether it has changed, and counts what was asked.
type Routing struct {
	mu      sync.RWMutex
	version int
	asked   int
	table   map[string]string
}

func (r *Routing) Replace(table map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.table = table
	r.version++
}

func (r *Routing) Table() (int, map[string]string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version, r.table
}

// Numbers are two that count different things.
type Numbers struct {
	mu       sync.Mutex
	in, done int
}

func (n *Numbers) Do(f func()) {
	n.mu.Lock()
	n.in++
	n.mu.Unlock()
	f()
	n.mu.Lock()
	n.done++
	n.mu.Unlock()
}

func (n *Numbers) Both() (int, int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.in, n.done
}
