package fine

import "sync"

// Ropewalk has its state in an object of its own, and is being made in the first of its functions.
type Ropewalk struct{ state *ropeState }

type ropeState struct {
	mu    sync.Mutex
	ropes map[string]int
	all   int
}

func NewRopewalk(names []string) *Ropewalk {
	r := &Ropewalk{state: &ropeState{ropes: map[string]int{}}}
	for _, name := range names {
		r.lay(name)
	}
	return r
}

func (r *Ropewalk) lay(name string) {
	if _, ok := r.state.ropes[name]; !ok {
		r.state.all++
		r.state.ropes[name] = r.state.all
	}
}

func (r *Ropewalk) Spin(name string, length int) bool {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	if _, ok := r.state.ropes[name]; ok {
		return false
	}
	r.state.ropes[name] = length
	return true
}

// Coils has a lock of its own.
type Coils struct {
	mu   sync.Mutex
	list []string
}

func NewCoils() *Coils { return &Coils{} }

func (c *Coils) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.list)
}

func (c *Coils) Add(t string) {
	c.mu.Lock()
	c.list = append(c.list, t)
	c.mu.Unlock()
}

// CoilCart belongs to who fills it: it counts by itself, and its coils are those of somebody else.
type CoilCart struct {
	coils *Coils
	most  int
}

func NewCoilCart(of *Coils) *CoilCart { return &CoilCart{coils: of} }

func (f *CoilCart) Add(t string) bool {
	if f.coils.Len() >= f.most {
		return false
	}
	f.most--
	f.coils.Add(t)
	return true
}
