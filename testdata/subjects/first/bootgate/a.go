package bootgate

import (
	"fmt"
	"net/http"
	"sync"
)

type Check func() error

type Gate struct {
	mu     sync.Mutex
	cond   *sync.Cond
	open   bool
	waits  int
	checks []Check
}

func NewGate(checks ...Check) *Gate {
	g := &Gate{checks: checks}
	g.cond = sync.NewCond(&g.mu)
	return g
}

func (g *Gate) wake() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cond.Broadcast()
	return g.waits
}

func (g *Gate) setOpen(v bool) {
	g.mu.Lock()
	g.open = v
	g.mu.Unlock()
}

func (g *Gate) Open() (int, error) {
	for i, c := range g.checks {
		if err := c(); err != nil {
			return 0, fmt.Errorf("bootgate: check %d: %w", i, err)
		}
	}
	n := g.wake()
	g.setOpen(true)
	return n, nil
}

func (g *Gate) Wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waits++
	for !g.open {
		g.cond.Wait()
	}
	g.waits--
}

func (g *Gate) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.Wait()
		h.ServeHTTP(w, r)
	})
}
