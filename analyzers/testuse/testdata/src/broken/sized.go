package broken

import (
	"errors"
	"sync"
)

type chair struct{ taken bool }

// Desk numbers its seats by how many there are.
type Desk struct {
	mu    sync.Mutex
	seats map[int]string
	names map[string]*chair
	limit int
	used  int
}

var errFull = errors.New("full")

func (d *Desk) Sit(ask func(n int) string) {
	d.mu.Lock()
	n := len(d.seats) // want `two goroutines can both pass the test of d.seats and both set it: d.mu is released in between`
	d.mu.Unlock()
	name := ask(n)
	d.mu.Lock()
	d.seats[n] = name
	d.mu.Unlock()
}

// SitDown numbers under the lock.
func (d *Desk) SitDown(name string) {
	d.mu.Lock()
	d.seats[len(d.seats)] = name
	d.mu.Unlock()
}

func (d *Desk) Register(name string) error {
	d.mu.Lock()
	n := len(d.names) // want `two goroutines can both pass the test of d.names and both set it: d.mu is released in between`
	d.mu.Unlock()
	if d.limit > 0 && n >= d.limit {
		return errFull
	}
	d.mu.Lock()
	d.names[name] = &chair{}
	d.mu.Unlock()
	return nil
}

// RegisterOnce looks again.
func (d *Desk) RegisterOnce(name string) error {
	d.mu.Lock()
	n := len(d.names)
	d.mu.Unlock()
	if n >= d.limit {
		return errFull
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.names) >= d.limit {
		return errFull
	}
	d.names[name] = &chair{}
	return nil
}

// Remember keeps about as many as it may, and tells nobody.
func (d *Desk) Remember(name string) {
	d.mu.Lock()
	n := len(d.names)
	d.mu.Unlock()
	if n > d.limit {
		return
	}
	d.mu.Lock()
	d.names[name] = &chair{}
	d.mu.Unlock()
}

// First asks whether there is any.
func (d *Desk) First(name string) error {
	d.mu.Lock()
	n := len(d.names)
	d.mu.Unlock()
	if n > 0 {
		return errFull
	}
	d.mu.Lock()
	d.names["first"] = &chair{}
	d.mu.Unlock()
	return nil
}

func (d *Desk) Leave(n int, name string) {
	d.mu.Lock()
	delete(d.seats, n)
	delete(d.names, name)
	d.mu.Unlock()
}

func (d *Desk) Take(k int) bool {
	d.mu.Lock()
	room := d.limit - d.used // want `two goroutines can both pass the test of d.used and both set it: d.mu is released in between`
	d.mu.Unlock()
	if room < k {
		return false
	}
	d.mu.Lock()
	d.used += k
	d.mu.Unlock()
	return true
}

func (d *Desk) TakeAtOnce(k int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.limit-d.used < k {
		return false
	}
	d.used += k
	return true
}

func (d *Desk) Give(k int) {
	d.mu.Lock()
	d.used -= k
	d.mu.Unlock()
}
