package broken

import (
	"container/list"
	"sync"
)

// A berth is found in a map of its harbour, under a lock that is embedded by pointer.
type berth struct {
	ships int
	names map[string]bool
}

type harbourPart struct {
	*sync.RWMutex
	berths map[int]*berth
}

// Harbour has several parts, each with a lock of its own.
type Harbour struct {
	parts []*harbourPart
	count func(func(int) int) int
}

func (h *Harbour) Ships() int {
	return h.count(func(n int) int {
		p := h.parts[n%4]
		p.RLock()
		if b, ok := p.berths[n]; ok {
			p.RUnlock()
			return b.ships // want `b.ships is read here after h.parts\[n % 4\].RWMutex was released, under which it was found in p.berths: \(\*Harbour\).Land changes it with the lock held`
		}
		p.RUnlock()
		return 0
	})
}

func (h *Harbour) Land(n int, name string) {
	p := h.parts[n%4]
	p.Lock()
	defer p.Unlock()
	if b, ok := p.berths[n]; ok {
		b.ships++
		b.names[name] = true
		return
	}
	p.berths[n] = &berth{ships: 1, names: map[string]bool{name: true}}
}

// Has looks into a map of what it has found.
func (h *Harbour) Has(n int, name string) bool {
	p := h.parts[n%4]
	p.RLock()
	b := p.berths[n]
	p.RUnlock()
	return b != nil && b.names[name] // want `b.names\[name\] is read here after h.parts\[n % 4\].RWMutex was released, .*`
}

// A pearl is kept in a list, whose elements a map has.
type pearl struct {
	key   string
	value any
}

type Necklace struct {
	mu    sync.Mutex
	m     map[string]*list.Element
	order *list.List
	most  int
}

func (c *Necklace) Find(key string) (any, bool) {
	c.mu.Lock()
	e, ok := c.m[key]
	if ok {
		c.order.MoveToFront(e)
	}
	c.mu.Unlock()
	if !ok {
		return nil, false
	}
	p := e.Value.(*pearl)
	return p.value, true // want `p.value is read here after c.mu was released, under which it was found in c.m: \(\*Necklace\).Thread changes it with the lock held`
}

func (c *Necklace) Direct(key string) any {
	c.mu.Lock()
	e := c.m[key]
	c.mu.Unlock()
	if e == nil {
		return nil
	}
	return e.Value.(*pearl).value // want `e.Value.\(\*pearl\).value is read here after c.mu was released, .*`
}

// Thread gives the object that was used least another key.
func (c *Necklace) Thread(key string, value any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.m) >= c.most {
		e := c.order.Back()
		old := e.Value.(*pearl)
		delete(c.m, old.key)
		old.key = key
		old.value = value
		c.m[key] = e
		return
	}
	c.m[key] = c.order.PushFront(&pearl{key, value})
}

// A guest is looked up twice: first as a hint.
type guest struct {
	awake bool
	calls int
}

type Hotel struct {
	lk     sync.RWMutex
	guests map[string]*guest
	listed []*guest
	bell   func(string)
}

func (h *Hotel) Wake(name string) {
	h.lk.RLock()
	g, ok := h.guests[name]
	h.lk.RUnlock()
	if !ok || g.awake { // want `g.awake is read here after h.lk was released, under which it was found in h.guests: .*`
		return
	}
	h.lk.Lock()
	defer h.lk.Unlock()
	g, ok = h.guests[name]
	if !ok || g.awake {
		return
	}
	g.awake = true
	h.bell(name)
}

func (h *Hotel) Sleep(name string) {
	h.lk.Lock()
	defer h.lk.Unlock()
	g, ok := h.guests[name]
	if !ok {
		g = &guest{}
		h.guests[name] = g
	}
	g.awake = false
	g.calls = 0
}

// Calls has found the guest in a loop.
func (h *Hotel) Calls(most int) int {
	var found *guest
	h.lk.RLock()
	for _, g := range h.listed {
		if g.awake {
			found = g
			break
		}
	}
	h.lk.RUnlock()
	if found == nil {
		return most
	}
	return found.calls // want `found.calls is read here after h.lk was released, .*`
}
