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

// A hook that another package calls without a lock protects nothing.
type Hooks struct {
	mu    store.Mutex
	hooks map[string]func()
}

func (h *Hooks) Add(name string, f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hooks[name] = f
}

func (h *Hooks) Remove(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.hooks, name)
}

func (h *Hooks) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.hooks)
}

func (h *Hooks) Run() {
	h.mu.Attempt(func() {
		for _, f := range h.hooks { // want `h.hooks is accessed here without the lock that all other functions hold for it`
			f()
		}
	})
}

func (h *Hooks) Names() (names []string) {
	h.mu.Holding(func() {
		for name := range h.hooks {
			names = append(names, name)
		}
	})
	return names
}
