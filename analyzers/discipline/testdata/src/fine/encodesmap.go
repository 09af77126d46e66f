package fine

import (
	"encoding/json"
	"iter"
	"maps"
	"sync"
)

// Pergola hands its maps on with the lock, or what is read later.
type Pergola struct {
	mu     sync.Mutex
	vines  map[string]int
	slopes map[string]int
	tags   vineSet
}

type vineSet map[string]bool

func (s vineSet) stick(tag string) { s[tag] = true }
func (s vineSet) size() int        { return len(s) }

func NewPergola() *Pergola {
	return &Pergola{vines: map[string]int{}, slopes: map[string]int{}, tags: vineSet{}}
}

// Plant plants one.
func (p *Pergola) Plant(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.vines[name]++
	maps.Copy(p.slopes, map[string]int{name: len(name)})
	p.tags.stick(name)
}

// Pull pulls one out.
func (p *Pergola) Pull(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.vines, name)
	delete(p.slopes, name)
	delete(p.tags, name)
}

// Save returns the vines as text.
func (p *Pergola) Save() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return json.Marshal(p.vines)
}

// Slopes is what walks through them later, under a lock of its caller's.
func (p *Pergola) Slopes() iter.Seq2[string, int] { return maps.All(p.slopes) }

// Tags counts the tags.
func (p *Pergola) Tags() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tags.size()
}

// Merge takes over what others have.
func (p *Pergola) Merge(others map[string]int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.vines) == 0 {
		println("the first ones")
	}
	merge(p.vines, others)
}

func merge(into, from map[string]int) {
	for k, v := range from {
		into[k] = v
	}
}
