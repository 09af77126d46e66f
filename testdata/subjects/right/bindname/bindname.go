// Package bindname has a name that is bound before it can be read.
package bindname

import (
	"errors"
	"sync"
)

var errBound = errors.New("bound already")

// Endpoint is bound to an address once, and used by others then.
type Endpoint struct {
	mu    sync.Mutex
	bound bool
	addr  string
	sent  int
}

// Bind binds the endpoint to addr. It must return before any other method is called, and works once.
func (e *Endpoint) Bind(addr string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.bound {
		return errBound
	}
	e.addr, e.bound = addr, true
	return nil
}

// Addr is the address that Bind has bound. Right: addr is set once, before any other method
// may be called, and never changed.
func (e *Endpoint) Addr() string { return e.addr }

// Send counts.
func (e *Endpoint) Send() (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.bound {
		return "", errors.New("not bound")
	}
	e.sent++
	return e.addr, nil
}
