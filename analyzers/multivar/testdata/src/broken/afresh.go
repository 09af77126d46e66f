package broken

import "sync"

type Pool struct {
	mu     sync.Mutex
	idle   []int
	active int
	err    error
}

func (p *Pool) Close(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = nil
	p.active = 0
	p.err = err
}

// Next has looked at the error in the first critical section, and not in the second.
func (p *Pool) Next() error {
	p.mu.Lock()
	n := len(p.idle) // want `p.idle was tested in an earlier critical section than the one where p.err is read`
	p.mu.Unlock()
	if n > 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}
