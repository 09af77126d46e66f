package fine

import "sync"

// Pewter looks again whenever it is woken.
type Pewter struct {
	mu    sync.Mutex
	room  *sync.Cond
	seats []int
	first int
	max   int
}

func NewPewter(max int) *Pewter {
	p := &Pewter{max: max}
	p.room = sync.NewCond(&p.mu)
	return p
}

func (p *Pewter) taken() bool { return len(p.seats)-p.first >= p.max }

func (p *Pewter) Sit(x int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.taken() {
		p.room.Wait()
	}
	p.seats = append(p.seats, x)
}

func (p *Pewter) Rise() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.room.Signal()
	x := p.seats[p.first]
	p.first++
	return x
}

// Orrery hands out a map that is replaced by another one whenever something is added to it, and one
// that is complete when others get the object.
type Orrery struct {
	mu    sync.Mutex
	pages map[string]int
	names map[string]string
}

func NewOrrery(names map[string]string) *Orrery {
	g := &Orrery{names: map[string]string{}}
	for k, v := range names {
		g.names[k] = v
	}
	return g
}

func (g *Orrery) Names() map[string]string { return g.names }

// Pages are read by those who hold the lock.
func (g *Orrery) Pages() map[string]int { return g.pages }

func (g *Orrery) Put(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Pages()[k]++
	g.pages[k+"s"]++
}

// Sieveling drops what it is told to. No methods on it are goroutine safe.
type Sieveling struct {
	left   int64
	closed bool
	next   interface{ Close() error }
	lock   sync.Mutex
}

func (s *Sieveling) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	return s.next.Close()
}
