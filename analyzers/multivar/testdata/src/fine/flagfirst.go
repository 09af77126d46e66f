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
