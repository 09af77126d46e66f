// Package snaproutes routes RPC methods through a table that can be changed
// while calls are served.
package snaproutes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
)

var ErrUnimplemented = errors.New("snaproutes: unimplemented")

type Handler interface {
	Call(ctx context.Context, body []byte) ([]byte, error)
}

type HandlerFunc func(ctx context.Context, body []byte) ([]byte, error)

func (f HandlerFunc) Call(ctx context.Context, b []byte) ([]byte, error) { return f(ctx, b) }

// Middleware wraps a handler when it is mounted.
type Middleware func(method string, next Handler) Handler

type snapshot struct {
	gen      uint64
	handlers map[string]Handler
	fallback Handler
}

func (s *snapshot) clone() *snapshot {
	return &snapshot{gen: s.gen + 1, handlers: maps.Clone(s.handlers), fallback: s.fallback}
}

type Mux struct {
	chain   []Middleware
	writeMu sync.Mutex
	snap    atomic.Pointer[snapshot]
}

func NewMux(chain ...Middleware) *Mux {
	m := &Mux{chain: chain}
	m.snap.Store(&snapshot{
		handlers: make(map[string]Handler),
		fallback: HandlerFunc(func(context.Context, []byte) ([]byte, error) {
			return nil, ErrUnimplemented
		}),
	})
	return m
}

func (m *Mux) wrap(method string, h Handler) Handler {
	for i := len(m.chain) - 1; i >= 0; i-- {
		h = m.chain[i](method, h)
	}
	return h
}

// Mount adds a method that must not exist yet.
func (m *Mux) Mount(method string, h Handler) error {
	h = m.wrap(method, h)
	m.writeMu.Lock()
	defer m.writeMu.Unlock()
	cur := m.snap.Load()
	if _, dup := cur.handlers[method]; dup {
		return fmt.Errorf("snaproutes: %s already mounted", method)
	}
	next := cur.clone()
	next.handlers[method] = h
	m.snap.Store(next)
	return nil
}

// Replace swaps in the handlers of a whole service at once: methods with its
// prefix that are not in hs disappear.
func (m *Mux) Replace(prefix string, hs map[string]Handler) (gen uint64) {
	wrapped := make(map[string]Handler, len(hs))
	for name, h := range hs {
		wrapped[name] = m.wrap(name, h)
	}

	m.writeMu.Lock()
	defer m.writeMu.Unlock()
	cur := m.snap.Load()
	next := cur.clone()
	for name := range cur.handlers {
		if len(name) >= len(prefix) && name[:len(prefix)] == prefix {
			delete(next.handlers, name)
		}
	}
	maps.Copy(next.handlers, wrapped)
	m.snap.Store(next)
	return next.gen
}

// Dispatch serves one call with the table as it is now.
func (m *Mux) Dispatch(ctx context.Context, method string, body []byte) ([]byte, error) {
	s := m.snap.Load()
	h, ok := s.handlers[method]
	if !ok {
		h = s.fallback
	}
	out, err := h.Call(ctx, body)
	if err != nil {
		return nil, fmt.Errorf("%s (table %d): %w", method, s.gen, err)
	}
	return out, nil
}

// Methods lists what is mounted.
func (m *Mux) Methods() []string {
	s := m.snap.Load()
	out := make([]string, 0, len(s.handlers))
	for name := range s.handlers {
		out = append(out, name)
	}
	return out
}
