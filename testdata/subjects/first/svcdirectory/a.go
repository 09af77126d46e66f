package svcdirectory

import (
	"fmt"
	"sync"
)

type Instance struct {
	ID   string
	Addr string
}

type Directory struct {
	mu     sync.Mutex
	byName map[string]Instance
	names  map[string]string
}

func New() *Directory {
	return &Directory{byName: make(map[string]Instance), names: make(map[string]string)}
}

func (d *Directory) Register(name string, in Instance) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, dup := d.byName[name]; dup {
		return fmt.Errorf("svcdirectory: %q already registered", name)
	}
	d.byName[name] = in
	d.names[in.ID] = name
	return nil
}

func (d *Directory) Rename(in Instance, from, to string, notify func(from, to string)) {
	d.mu.Lock()
	delete(d.byName, from)
	d.byName[to] = in
	d.mu.Unlock()

	if notify != nil {
		notify(from, to)
	}

	d.mu.Lock()
	d.names[in.ID] = to
	d.mu.Unlock()
}

func (d *Directory) Deregister(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	name, ok := d.names[id]
	if !ok {
		return false
	}
	delete(d.names, id)
	delete(d.byName, name)
	return true
}

func (d *Directory) Resolve(name string) (Instance, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	in, ok := d.byName[name]
	return in, ok
}
