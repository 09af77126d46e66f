package broken

import "sync"

// Tickets numbers them.
type Tickets struct {
	mu   sync.Mutex
	last int
}

// Next reads what it has raised when another one may have raised it again.
func (t *Tickets) Next() int {
	t.mu.Lock()
	t.last++
	t.mu.Unlock()
	return t.last // want `t\.last is read here after t\.mu was released, under which the next goroutine can store another one`
}

// Dialing keeps what it dials with.
type Dialing struct {
	sync.RWMutex
	dial func(string) error
	once func(string) error
	done bool
}

func dialerFor(host string) func(string) error { return func(string) error { return nil } }

// Get stores one whatever is there.
func (d *Dialing) Get(host string) func(string) error {
	d.RLock()
	if d.dial != nil {
		f := d.dial
		d.RUnlock()
		return f
	}
	d.RUnlock()
	d.Lock()
	d.dial = dialerFor(host)
	d.Unlock()
	return d.dial // want `d\.dial is read here after d\.RWMutex was released, under which the next goroutine can store another one`
}

// First stores one only if there is none: nobody stores another one after it.
func (d *Dialing) First(host string) func(string) error {
	d.Lock()
	if d.once == nil {
		d.once = dialerFor(host)
	}
	d.Unlock()
	return d.once
}

// Done always stores the same.
func (d *Dialing) Done() bool {
	d.Lock()
	d.done = true
	d.Unlock()
	return d.done
}

// routes are looked up by two, one of which has a lock of its own then.
type routes struct {
	mu   sync.Mutex
	next func(string) error
}

func (r *routes) take(host string) func(string) error {
	r.mu.Lock()
	r.next = dialerFor(host)
	r.mu.Unlock()
	return r.next // want `r\.next is read here after r\.mu was released, under which the next goroutine can store another one`
}

// Uplink goes there with its own lock held.
type Uplink struct {
	mu     sync.Mutex
	routes *routes
}

func (u *Uplink) Dial(host string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.routes.take(host)(host)
}

// Backlink goes there with none.
type Backlink struct{ routes *routes }

func (d *Backlink) Dial(host string) error { return d.routes.take(host)(host) }
