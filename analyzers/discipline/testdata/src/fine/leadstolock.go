package fine

import "sync"

// A Tenant enters the flats that it is given.
type Tenant struct {
	mu    sync.Mutex
	flats []*Flat
	name  string
}

// A Flat knows its tenant, whose lock can be taken by way of that alone.
type Flat struct {
	mu     sync.Mutex
	tenant *Tenant
	number int
}

func newFlat(number int, t *Tenant) *Flat {
	f := &Flat{number: number}
	f.tenant = t
	return f
}

func (t *Tenant) Rent(f *Flat) {
	t.mu.Lock()
	f.tenant = t
	t.flats = append(t.flats, f)
	t.mu.Unlock()
}

func (t *Tenant) Same(f *Flat) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return f.tenant == t
}

func (f *Flat) Renumber(n int) {
	f.mu.Lock()
	f.number = n
	f.mu.Unlock()
}

func (f *Flat) Rename(name string) {
	if f.tenant == nil {
		return
	}
	f.tenant.mu.Lock()
	f.tenant.name = name
	f.tenant.mu.Unlock()
}
