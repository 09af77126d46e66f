package client

import "across/store"

// Driver closes its children under their lock, by a function of another package.
type Driver struct {
	mu       store.Mutex
	children map[string]func()
}

func (d *Driver) With(name string, end func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.children[name] = end
}

func (d *Driver) Without(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.children, name)
}

func (d *Driver) Has(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.children[name] != nil
}

func (d *Driver) Close() {
	var ends []func()
	d.mu.WithLock(func() {
		for _, end := range d.children {
			ends = append(ends, end)
		}
		d.children = nil
	})
	for _, end := range ends {
		end()
	}
}
