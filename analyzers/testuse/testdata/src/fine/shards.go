package fine

import (
	"math/rand/v2"
	"sync"
)

type letterbox struct {
	mu      sync.Mutex
	letters map[string]*epistle
}

type epistle struct{ lines chan string }

func newEpistle(name string) *epistle {
	e := &epistle{lines: make(chan string)}
	go func() {
		for line := range e.lines {
			println(name, line)
		}
	}()
	return e
}

// Cabinet looks into one letterbox, and puts into another one.
type Cabinet struct{ holes []*letterbox }

func NewCabinet() *Cabinet {
	c := &Cabinet{}
	for range 16 {
		c.holes = append(c.holes, &letterbox{letters: map[string]*epistle{}})
	}
	return c
}

// Letter looks a epistle up.
func (c *Cabinet) Letter(name string) *epistle {
	hole := c.holes[len(name)%16]
	hole.mu.Lock()
	defer hole.mu.Unlock()
	return hole.letters[name]
}

// Answer puts an answer elsewhere.
func (c *Cabinet) Answer(name string, l *epistle) {
	hole := c.holes[(len(name)+1)%16]
	hole.mu.Lock()
	defer hole.mu.Unlock()
	hole.letters[name] = l
}

// Ensure answers what has come.
func (c *Cabinet) Ensure(name string) {
	if l := c.Letter(name); l == nil {
		c.Answer(name, newEpistle(name))
	}
}

// Any looks a letter up in some pigeonhole or other.
func (c *Cabinet) Any(name string) *epistle {
	hole := c.holes[rand.IntN(16)]
	hole.mu.Lock()
	defer hole.mu.Unlock()
	return hole.letters[name]
}

// Drop puts one into some other.
func (c *Cabinet) Drop(name string, e *epistle) {
	hole := c.holes[rand.IntN(16)]
	hole.mu.Lock()
	defer hole.mu.Unlock()
	hole.letters[name] = e
}

// Scatter looks into one, and drops a letter into another.
func (c *Cabinet) Scatter(name string) {
	if e := c.Any(name); e == nil {
		c.Drop(name, newEpistle(name))
	}
}
