package fine

import "sync"

// A Group makes what its goroutines wait at when the first of them comes.
type Group struct {
	mu   sync.Mutex
	cond *sync.Cond
	left int
}

func (g *Group) Wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cond == nil {
		g.cond = sync.NewCond(&g.mu)
	}
	for g.left > 0 {
		g.cond.Wait()
	}
}

func (g *Group) Add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cond == nil {
		g.cond = sync.NewCond(&g.mu)
	}
	g.left += n
	if g.left == 0 {
		g.cond.Broadcast()
	}
}
