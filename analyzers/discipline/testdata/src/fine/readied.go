package fine

import "sync"

type directory struct{ orders, keys string }

// A Registrar looks its addresses up before it uses them.
type Registrar struct {
	mu  sync.Mutex
	dir directory
}

func (r *Registrar) ready(get func() directory) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.look(get)
}

func (r *Registrar) look(get func() directory) {
	if r.dir.orders == "" {
		r.dir = get()
	}
}

func (r *Registrar) Dir() directory {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dir
}

func (r *Registrar) Order(get func() directory) bool {
	r.ready(get)
	if r.dir.keys == "" {
		return false
	}
	return true
}

type bin struct {
	mu      sync.Mutex
	failing bool
}

func (b *bin) Fail() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failing = true
}

func (b *bin) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failing = false
}

func (b *bin) Fails() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failing
}

type load struct {
	n int
	*weight
}

type weight struct{ owner *bin }

type loads [][]load

func (l loads) each(f func(load)) {
	for _, of := range l {
		for _, x := range of {
			f(x)
		}
	}
}

func (l loads) eachLocked(f func(load)) {
	l.each(func(x load) {
		x.owner.mu.Lock()
		defer x.owner.mu.Unlock()
		f(x)
	})
}

type Lorry struct {
	mu    sync.Mutex
	loads loads
}

func (t *Lorry) Drive() {
	for range 3 {
		go t.drop()
	}
}

func (t *Lorry) drop() {
	t.loads.eachLocked(func(x load) { x.owner.failing = true })
	t.loads.each(func(x load) { x.owner.Clear() })
}
