package routetrie

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
)

type routes map[string]http.Handler

// Mux can be changed while it serves. Reads take no lock.
type Mux struct {
	tab atomic.Pointer[routes]
}

func NewMux() *Mux {
	m := &Mux{}
	m.tab.Store(&routes{})
	return m
}

func (m *Mux) edit(fn func(routes) error) error {
	for {
		old := m.tab.Load()
		next := maps.Clone(*old)
		if err := fn(next); err != nil {
			return err
		}
		if m.tab.CompareAndSwap(old, &next) {
			return nil
		}
	}
}

func (m *Mux) Handle(prefix string, h http.Handler) error {
	return m.edit(func(r routes) error {
		if _, dup := r[prefix]; dup {
			return fmt.Errorf("prefix %q is taken", prefix)
		}
		r[prefix] = h
		return nil
	})
}

func (m *Mux) Remove(prefix string) {
	_ = m.edit(func(r routes) error {
		delete(r, prefix)
		return nil
	})
}

func (m *Mux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var best string
	var h http.Handler
	for p, cand := range *m.tab.Load() {
		if strings.HasPrefix(r.URL.Path, p) && (h == nil || len(p) > len(best)) {
			best, h = p, cand
		}
	}
	if h == nil {
		http.NotFound(w, r)
		return
	}
	h.ServeHTTP(w, r)
}
