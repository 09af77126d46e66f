package fine

import (
	"sync"
	"sync/atomic"
)

// A CrossbarExchange starts the goroutine that takes an entry away before it puts it there: that one waits for the lock.
type CrossbarExchange struct {
	mu    sync.Mutex
	lines map[string]*crossbarLine
}

type crossbarLine struct{ users []chan int }

func (w *crossbarLine) hear() {}

func NewCrossbarExchange() *CrossbarExchange {
	return &CrossbarExchange{lines: map[string]*crossbarLine{}}
}

func (r *CrossbarExchange) Join(name string, ch chan int) *crossbarLine {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok := r.lines[name]
	if !ok {
		w = &crossbarLine{users: []chan int{ch}}
		go func() {
			w.hear()
			r.mu.Lock()
			delete(r.lines, name)
			r.mu.Unlock()
		}()
		r.lines[name] = w
	}
	return w
}

// A Flourmill has its chute closed when the carts, and those who serve them, are gone: End hears of that before.
type Flourmill struct {
	over  atomic.Bool
	chute chan int
	gone  chan struct{}
}

func OpenFlourmill(carts chan chan int) *Flourmill {
	g := &Flourmill{chute: make(chan int), gone: make(chan struct{})}
	go g.serve(carts)
	return g
}

func (g *Flourmill) serve(carts chan chan int) {
	defer close(g.gone)
	var wg sync.WaitGroup
	for cart := range carts {
		if g.over.Load() {
			break
		}
		wg.Go(func() { g.unload(cart) })
	}
	wg.Wait()
}

func (g *Flourmill) unload(cart chan int) {
	for sack := range cart {
		if g.over.Load() {
			return
		}
		g.chute <- sack
	}
}

func (g *Flourmill) End() {
	g.over.Store(true)
	<-g.gone
	close(g.chute)
}
