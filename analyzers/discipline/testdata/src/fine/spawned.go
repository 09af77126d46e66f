package fine

import "sync"

// The goroutine alone changes the amount, under the lock, and may read it without.

type Gauge struct {
	mu     sync.Mutex
	amount int
	most   int
	in     chan int
}

func NewGauge() *Gauge {
	g := &Gauge{in: make(chan int)}
	go g.loop()
	return g
}

func (g *Gauge) Amount() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.amount
}

func (g *Gauge) Double() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return 2 * g.amount
}

func (g *Gauge) loop() {
	for n := range g.in {
		g.add(n)
		if g.amount > 10 {
			return
		}
	}
}

func (g *Gauge) add(n int) {
	g.mu.Lock()
	g.amount += n
	g.mu.Unlock()
}
