package xmppbind

import (
	"errors"
	"sync"
)

var ErrOffline = errors.New("xmppbind: offline")

type Stream interface {
	WriteStanza(b []byte) error
	ReadStanza() ([]byte, error)
	Close() error
}

type Router struct {
	mu     sync.Mutex
	routes map[string]Stream
}

func NewRouter() *Router { return &Router{routes: make(map[string]Stream)} }

func (r *Router) Bind(jid string, s Stream, handle func([]byte)) error {
	r.mu.Lock()
	prev := r.routes[jid]
	r.routes[jid] = s
	r.mu.Unlock()
	if prev != nil {
		_ = prev.Close()
	}
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.routes[jid] == s {
			delete(r.routes, jid)
		}
	}()
	for {
		b, err := s.ReadStanza()
		if err != nil {
			return err
		}
		handle(b)
	}
}

func (r *Router) Deliver(jid string, b []byte) error {
	r.mu.Lock()
	s := r.routes[jid]
	r.mu.Unlock()
	if s == nil {
		return ErrOffline
	}
	return s.WriteStanza(b)
}
