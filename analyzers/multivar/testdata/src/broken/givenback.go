package broken

import "sync"

// A tray is carried to a guest and comes back.
type tray struct {
	id    int
	glass []string
}

// Pantry knows which trays are out.
type Pantry struct {
	trays sync.Pool
	mu    sync.Mutex
	out   map[*tray]string
	seen  sync.Map // tray -> guest
}

func (p *Pantry) Get(guest string) *tray {
	t, _ := p.trays.Get().(*tray)
	if t == nil {
		t = &tray{}
	}
	p.mu.Lock()
	p.out[t] = guest
	p.mu.Unlock()
	p.seen.Store(t.id, guest)
	return t
}

func (p *Pantry) Put(t *tray) {
	t.glass = t.glass[:0]
	p.trays.Put(t) // want `t is put back before its entry in p.out is deleted: another goroutine can get it in between, and the entry that \(\*Pantry\).Get makes for it is deleted here`
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.out, t)
}

func (p *Pantry) Return(t *tray) {
	p.trays.Put(t) // want `t is put back before its entry in p.seen is deleted`
	p.seen.Delete(t.id)
}

// Crates are lent and counted by what they hold.
type Crates[T comparable] struct {
	sync.Pool
	mu   sync.Mutex
	lent map[any]int
}

func (c *Crates[T]) Lend() (v T) {
	v, _ = c.Pool.Get().(T)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lent[any(v)] = 1
	return v
}

func (c *Crates[T]) Back(v T) {
	c.Pool.Put(v) // want `v is put back before its entry in c.lent is deleted`
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.lent[any(v)]; ok && n > 0 {
		delete(c.lent, any(v))
	}
}
