package broken

import "sync"

type earpiece struct {
	mu  sync.Mutex
	off bool
	out chan int
}

func (e *earpiece) isOff() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.off
}

func (e *earpiece) Cancel() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.off {
		e.off = true
		close(e.out)
	}
}

// Wireless sends to those that it has listed under its lock, as a second result.
type Wireless struct {
	mu  sync.Mutex
	seq int
	all map[int]*earpiece
}

func (r *Wireless) Tune(n int) *earpiece {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := &earpiece{out: make(chan int, 8)}
	r.all[n] = e
	return e
}

func (r *Wireless) begin() (seq int, list []*earpiece) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	for _, e := range r.all {
		list = append(list, e)
	}
	return r.seq, list
}

func (r *Wireless) Say() {
	seq, list := r.begin()
	for _, e := range list {
		if e.isOff() { // want `e.out can be closed between the test of e.off and the send on it, which then panics`
			continue
		}
		select {
		case e.out <- seq:
		default:
		}
	}
}
