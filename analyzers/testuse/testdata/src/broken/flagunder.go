package broken

import "sync"

type caller struct {
	mu   sync.Mutex
	gone bool
	bye  chan struct{}
}

func (c *caller) Hang() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return
	}
	c.gone = true
	close(c.bye)
}

// Switchboard ends callers with its own lock held, and they themselves with theirs.
type Switchboard struct {
	mu      sync.RWMutex
	callers map[int]*caller
	guests  map[int]*visitor
}

func (x *Switchboard) Connect(n int) *caller {
	x.mu.Lock()
	defer x.mu.Unlock()
	c := &caller{bye: make(chan struct{})}
	x.callers[n] = c
	x.guests[n] = &visitor{out: make(chan struct{})}
	return c
}

func (x *Switchboard) Cut(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	c, ok := x.callers[n]
	if ok && !c.gone { // want `two goroutines can both find c.gone unset and close c.bye twice: here under x.mu, and in \(\*caller\).Hang under c.mu: neither keeps the other out`
		c.gone = true
		close(c.bye)
	}
	delete(x.callers, n)
}

func (x *Switchboard) Guest(n int) *visitor {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.guests[n]
}

type visitor struct {
	mu   sync.Mutex
	left bool
	out  chan struct{}
}

func (v *visitor) end() {
	if v.left { // want `two goroutines can both find v.left unset and close v.out twice: \(\*visitor\).Leave calls end under v.mu, and \(\*Switchboard\).Expel under x.mu: neither keeps the other out`
		return
	}
	v.left = true
	close(v.out)
}

func (v *visitor) Leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.end()
}

func (x *Switchboard) Expel(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if v := x.guests[n]; v != nil {
		v.end()
	}
}
