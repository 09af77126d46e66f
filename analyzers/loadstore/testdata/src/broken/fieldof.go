package broken

import "sync"

type freight struct {
	number int
	label  string
}

// A Freights numbers freights; its gate is opened without the lock.
type Freights struct {
	mu                   sync.Mutex
	open                 bool
	first, second, third int
	gate                 func() error
}

func (d *Freights) ready() error {
	if d.open {
		return nil
	}
	d.mu.Unlock()
	err := d.gate()
	d.mu.Lock()
	return err
}

func (d *Freights) Literal(label string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := &freight{number: d.first + 1, label: label} // want `two goroutines can both read d.first before either stores it, and one update is lost: d.mu is released in between`
	if err := d.ready(); err != nil {
		return err
	}
	d.first = p.number
	return nil
}

func (d *Freights) Assigned(label string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var p freight
	p.number = d.second + 1 // want `two goroutines can both read d.second before either stores it, and one update is lost: d.mu is released in between`
	p.label = label
	if err := d.ready(); err != nil {
		return err
	}
	d.second = p.number
	return nil
}

func (d *Freights) Positional(label string, send func(freight)) {
	d.mu.Lock()
	p := freight{d.third + 1, label} // want `two goroutines can both read d.third before either stores it, and one update is lost: d.mu is released in between`
	d.mu.Unlock()
	send(p)
	d.mu.Lock()
	d.third = p.number
	d.mu.Unlock()
}
