package tenantstore

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type Tenant struct {
	Name     string
	requests atomic.Int64
}

func (t *Tenant) Hit() int64 { return t.requests.Add(1) }

type tenantMap struct{ inner sync.Map }

func (m *tenantMap) Load(k string) (*Tenant, bool) {
	v, ok := m.inner.Load(k)
	if !ok {
		return nil, false
	}
	return v.(*Tenant), true
}

func (m *tenantMap) LoadOrStore(k string, t *Tenant) (*Tenant, bool) {
	v, loaded := m.inner.LoadOrStore(k, t)
	return v.(*Tenant), loaded
}

type Directory struct {
	tenants tenantMap
	created atomic.Int64
	valid   func(string) bool
}

func NewDirectory(valid func(string) bool) *Directory { return &Directory{valid: valid} }

func (d *Directory) Tenant(name string) (*Tenant, error) {
	if t, ok := d.tenants.Load(name); ok {
		return t, nil
	}
	if !d.valid(name) {
		return nil, fmt.Errorf("tenantstore: invalid name %q", name)
	}
	t, loaded := d.tenants.LoadOrStore(name, &Tenant{Name: name})
	if !loaded {
		d.created.Add(1)
	}
	return t, nil
}

func (d *Directory) Created() int64 { return d.created.Load() }
