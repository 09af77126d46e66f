package readers

import (
	"sync"
	"sync/atomic"
)

type gaugeOfOne struct{ n, highest int }

func (g *gaugeOfOne) add(n int) {
	g.n += n
	g.highest = max(g.highest, g.n)
}

func (g *gaugeOfOne) value() int { return g.n }

type gaugeWithLock struct {
	mu sync.Mutex
	n  int
}

func (g *gaugeWithLock) add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n += n
}

type gaugeByAtomics struct{ n atomic.Int64 }

func (g *gaugeByAtomics) add(n int) { g.n.Add(int64(n)) }

// Panel changes its gauges under the lock for reading, which is enough to find them.
type Panel struct {
	mu     sync.RWMutex
	plain  map[string]*gaugeOfOne
	list   []*gaugeOfOne
	shown  map[string]*gaugeOfOne
	locked map[string]*gaugeWithLock
	atomic map[string]*gaugeByAtomics
}

func (p *Panel) Add(name string, n int) {
	p.mu.RLock()
	if g, ok := p.plain[name]; ok {
		g.add(n) // want `g.add changes p.plain\[name\], and p.mu is held for reading only, which others can do at the same time; \(\*Panel\).Add holds it for writing`
		p.mu.RUnlock()
		return
	}
	p.mu.RUnlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if g, ok := p.plain[name]; ok {
		g.add(n)
		return
	}
	g := &gaugeOfOne{}
	g.add(n)
	p.plain[name] = g
}

func (p *Panel) AddAt(i, n int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.list[i].add(n) // want `p.list\[i\].add changes p.list\[i\], and p.mu is held for reading only`
}

func (p *Panel) Grow(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, &gaugeOfOne{})
	p.list[0].add(n)
}

// Safely is with gauges that look after themselves, or are only looked at.
func (p *Panel) Safely(name string, n int) int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.locked[name].add(n)
	p.atomic[name].add(n)
	return p.shown[name].value()
}

func (p *Panel) Set(name string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.locked[name].add(n)
	p.atomic[name].add(n)
	p.shown[name].add(n)
}
