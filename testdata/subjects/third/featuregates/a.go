package featuregates

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

type gateMap map[string]bool

type Gates struct {
	mu    sync.Mutex
	known map[string]bool
	on    atomic.Value
}

func New(defaults map[string]bool) *Gates {
	g := &Gates{known: make(map[string]bool, len(defaults))}
	m := make(gateMap, len(defaults))
	for k, v := range defaults {
		g.known[k] = true
		m[k] = v
	}
	g.on.Store(m)
	return g
}

func (g *Gates) Set(spec string) error {
	changes := gateMap{}
	for _, kv := range strings.Split(spec, ",") {
		k, v, _ := strings.Cut(kv, "=")
		b, err := strconv.ParseBool(v)
		if err != nil {
			return fmt.Errorf("gate %s: %w", k, err)
		}
		if !g.known[k] {
			return fmt.Errorf("unknown gate %q", k)
		}
		changes[k] = b
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	old := g.on.Load().(gateMap)
	next := make(gateMap, len(old))
	for k, v := range old {
		next[k] = v
	}
	for k, v := range changes {
		next[k] = v
	}
	g.on.Store(next)
	return nil
}

func (g *Gates) Enabled(name string) bool {
	return g.on.Load().(gateMap)[name]
}
