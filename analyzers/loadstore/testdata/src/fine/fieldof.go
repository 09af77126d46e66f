package fine

import "sync"

type freight struct {
	number int
	label  string
}

// A Freights numbers freights once its gate is open.
type Freights struct {
	mu          sync.Mutex
	open        bool
	last, other int
	gate        func() error
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

func (d *Freights) After(label string, send func(freight)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return err
	}
	p := freight{number: d.last + 1, label: label}
	send(p)
	d.last = p.number
	return nil
}

// Anew gives the field another number before it stores that.
func (d *Freights) Anew(number int, send func(freight)) {
	d.mu.Lock()
	p := freight{number: d.other}
	d.mu.Unlock()
	send(p)
	p.number = number
	d.mu.Lock()
	d.other = p.number
	d.mu.Unlock()
}
