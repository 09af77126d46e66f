package bootgate

import (
	"fmt"
	"sync"
	"time"
)

type Component interface {
	Name() string
	Init() error
}

// Gate keeps request handlers out until every component is up.
type Gate struct {
	mu    sync.Mutex
	cond  *sync.Cond
	ready bool
	err   error
	took  time.Duration
}

func NewGate() *Gate {
	g := &Gate{}
	g.cond = sync.NewCond(&g.mu)
	return g
}

func (g *Gate) Boot(parts ...Component) {
	start := time.Now()
	var err error
	for _, p := range parts {
		if err = p.Init(); err != nil {
			err = fmt.Errorf("init %s: %w", p.Name(), err)
			break
		}
	}
	g.mu.Lock()
	g.ready, g.err = true, err
	g.took = time.Since(start)
	g.cond.Broadcast()
	g.mu.Unlock()
}

func (g *Gate) isReady() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ready
}

func (g *Gate) Await() error {
	if !g.isReady() {
		g.mu.Lock()
		g.cond.Wait()
		g.mu.Unlock()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

func (g *Gate) BootTime() (d time.Duration, done bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.took, g.ready
}
