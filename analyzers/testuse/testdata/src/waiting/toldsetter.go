package waiting

import "sync"

// Ferry tells those who wait by one method, and stores by another.
type Ferry struct {
	mu    sync.Mutex
	bell  *sync.Cond
	ready bool
	count int
	cargo []string
}

func NewFerry() *Ferry {
	f := &Ferry{}
	f.bell = sync.NewCond(&f.mu)
	return f
}

func (f *Ferry) ring() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bell.Broadcast()
	return f.count
}

func (f *Ferry) setReady(v bool) {
	f.mu.Lock()
	f.ready = v
	f.mu.Unlock()
}

func (f *Ferry) Dock() int {
	n := f.ring() // want `f.ring is given in an earlier critical section than the one that stores f.ready`
	f.setReady(true)
	return n
}

func (f *Ferry) DockFirst() int {
	f.setReady(true)
	return f.ring()
}

func (f *Ferry) Cast() {
	f.ring()
	f.setReady(false)
}

func (f *Ferry) Board() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	for !f.ready {
		f.bell.Wait()
	}
	f.count--
}
