package fine

import (
	"maps"
	"sync"
	"sync/atomic"
)

type hall struct {
	seats map[string]int
	rev   int
}

// Hall is read without a lock; each change makes another one of it.
type Hall struct {
	changing sync.Mutex
	now      atomic.Pointer[hall]
	again    atomic.Pointer[hall]
	whole    atomic.Pointer[hall]
}

// Seat holds a lock from the Load to the Store.
func (h *Hall) Seat(name string, n int) {
	h.changing.Lock()
	defer h.changing.Unlock()
	cur := h.now.Load()
	next := &hall{seats: maps.Clone(cur.seats), rev: cur.rev + 1}
	next.seats[name] = n
	h.now.Store(next)
}

// Again looks whether it is still the same.
func (h *Hall) Again(name string, n int) {
	for {
		cur := h.again.Load()
		next := &hall{seats: maps.Clone(cur.seats)}
		next.seats[name] = n
		if h.again.CompareAndSwap(cur, next) {
			return
		}
	}
}

// Replace keeps nothing of what there was, and looks at it only.
func (h *Hall) Replace(seats map[string]int) (less int) {
	old := h.whole.Load()
	for name := range old.seats {
		if _, still := seats[name]; !still {
			less++
		}
	}
	next := &hall{seats: maps.Clone(seats), rev: len(seats)}
	h.whole.Store(next)
	return less
}

// Porter is the only one who changes it.
type Porter struct {
	now atomic.Pointer[hall]
	in  chan string
}

func NewPorter() *Porter {
	p := &Porter{in: make(chan string)}
	p.now.Store(&hall{})
	go p.run()
	return p
}

func (p *Porter) run() {
	for name := range p.in {
		cur := p.now.Load()
		next := &hall{seats: maps.Clone(cur.seats), rev: cur.rev + 1}
		next.seats[name]++
		p.now.Store(next)
	}
}

func (p *Porter) Let(name string)      { p.in <- name }
func (p *Porter) Seat(name string) int { return p.now.Load().seats[name] }
