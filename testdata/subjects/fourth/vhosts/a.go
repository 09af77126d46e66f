package vhosts

import (
	"errors"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
)

var ErrDuplicate = errors.New("vhosts: host already mapped")

type hostMap map[string]http.Handler

type Mux struct {
	wmu   sync.Mutex
	hosts atomic.Value
}

func NewMux() *Mux {
	m := &Mux{}
	m.hosts.Store(hostMap{})
	return m
}

func (m *Mux) load() hostMap { return m.hosts.Load().(hostMap) }

func (m *Mux) Add(host string, h http.Handler) error {
	m.wmu.Lock()
	defer m.wmu.Unlock()
	cur := m.load()
	if _, dup := cur[host]; dup {
		return ErrDuplicate
	}
	next := maps.Clone(cur)
	next[host] = h
	m.hosts.Store(next)
	return nil
}

func (m *Mux) Remove(host string) {
	m.wmu.Lock()
	defer m.wmu.Unlock()
	next := maps.Clone(m.load())
	delete(next, host)
	m.hosts.Store(next)
}

func (m *Mux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h, ok := m.load()[r.Host]; ok {
		h.ServeHTTP(w, r)
		return
	}
	http.NotFound(w, r)
}
