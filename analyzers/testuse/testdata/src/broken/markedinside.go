package broken

import (
	"context"
	"errors"
	"sync"
)

// crateSet are the crates that are being loaded.
type crateSet struct {
	mu sync.RWMutex
	in map[string]bool
}

func (c *crateSet) has(id string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.in[id]
}

func (c *crateSet) add(id string) {
	c.mu.Lock()
	c.in[id] = true
	c.mu.Unlock()
}

func (c *crateSet) drop(id string) {
	c.mu.Lock()
	delete(c.in, id)
	c.mu.Unlock()
}

type workers interface{ Submit(func()) error }

// Dock loads crates.
type Dock struct {
	busy  *crateSet
	pool  workers
	next  func() []string
	load  func(string)
	ended chan struct{}
}

func OpenDock(p workers) *Dock {
	return &Dock{pool: p, busy: &crateSet{in: map[string]bool{}}, ended: make(chan struct{})}
}

func (d *Dock) Work() { go d.loop() }

func (d *Dock) loop() {
	for {
		for _, id := range d.next() {
			if d.busy.has(id) { // want `d.busy.in\[id\] is put there only by the goroutine that is started because it was not`
				continue
			}
			if err := d.pool.Submit(func() {
				d.busy.add(id)
				d.load(id)
				d.busy.drop(id)
			}); err != nil {
				close(d.ended)
				return
			}
		}
	}
}

// slot is where a ship may land.
type slot struct{ name string }

func berthKey(b *slot) string { return "b" + b.name }

// Pilot brings ships to berths.
type Pilot struct {
	mu    sync.Mutex
	busy  map[string]bool
	draw  func() *slot
	guide func(*slot) error
}

func (p *Pilot) free() (*slot, error) {
	for range 10 {
		b := p.draw()
		k := berthKey(b)
		p.mu.Lock()
		busy := p.busy[k]
		p.mu.Unlock()
		if busy {
			continue
		}
		return b, nil
	}
	return nil, errors.New("all are busy")
}

func (p *Pilot) Run(ctx context.Context) {
	for ctx.Err() == nil {
		b, err := p.free() // want `p.busy\[k\] is put there only by the goroutine that is started because it was not`
		if err != nil {
			return
		}
		go func() {
			k := berthKey(b)
			p.mu.Lock()
			p.busy[k] = true
			p.mu.Unlock()
			defer func() {
				p.mu.Lock()
				delete(p.busy, k)
				p.mu.Unlock()
			}()
			p.guide(b)
		}()
	}
}
