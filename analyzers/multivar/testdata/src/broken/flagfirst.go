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
