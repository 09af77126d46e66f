// Package promoter holds a replica's view of which node is primary.
package promoter

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"
)

var (
	ErrStale     = errors.New("promoter: stale term")
	ErrNoPrimary = errors.New("promoter: no primary known")
)

type Resolver interface {
	Resolve(ctx context.Context, node string) (netip.AddrPort, error)
}

type Endpoint struct {
	Node string
	Addr netip.AddrPort
}

// Route tells a client where to write; the primary rejects writes of another term.
type Route struct {
	Endpoint
	Term uint64
}

type View struct {
	resolver Resolver
	timeout  time.Duration

	rw      sync.RWMutex
	term    uint64
	primary Endpoint
	history []string
}

func NewView(r Resolver, timeout time.Duration) *View {
	return &View{resolver: r, timeout: timeout}
}

// Route returns the present primary and its term.
func (v *View) Route() (Route, error) {
	v.rw.RLock()
	defer v.rw.RUnlock()
	if !v.primary.Addr.IsValid() {
		return Route{}, ErrNoPrimary
	}
	return Route{Endpoint: v.primary, Term: v.term}, nil
}

// Promote is called for each announcement, from whichever connection it came.
func (v *View) Promote(ctx context.Context, node string, term uint64) error {
	v.rw.Lock()
	if term <= v.term {
		v.rw.Unlock()
		return fmt.Errorf("%w: %d", ErrStale, term)
	}
	v.term = term
	v.history = append(v.history, fmt.Sprintf("%d:%s", term, node))
	v.rw.Unlock()

	rctx, cancel := context.WithTimeout(ctx, v.timeout)
	defer cancel()
	addr, err := v.resolver.Resolve(rctx, node)
	if err != nil {
		return fmt.Errorf("resolve %s: %w", node, err)
	}

	v.rw.Lock()
	v.primary = Endpoint{Node: node, Addr: addr}
	v.rw.Unlock()
	return nil
}

// Demote forgets the primary if it is still that node.
func (v *View) Demote(node string) bool {
	v.rw.Lock()
	defer v.rw.Unlock()
	if v.primary.Node != node {
		return false
	}
	v.primary = Endpoint{}
	return true
}

// History lists the announcements that were taken, oldest first.
func (v *View) History() []string {
	v.rw.RLock()
	defer v.rw.RUnlock()
	out := make([]string, len(v.history))
	copy(out, v.history)
	return out
}
