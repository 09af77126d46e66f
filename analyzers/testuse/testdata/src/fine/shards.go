package fine

import "sync"

type pigeonhole struct {
	mu      sync.Mutex
	letters map[string]*letter
}

type letter struct{ lines []string }

// Cabinet looks into one pigeonhole, and puts into another one.
type Cabinet struct{ holes []*pigeonhole }

func NewCabinet() *Cabinet {
	c := &Cabinet{}
	for range 16 {
		c.holes = append(c.holes, &pigeonhole{letters: map[string]*letter{}})
	}
	return c
}

// Letter looks a letter up.
func (c *Cabinet) Letter(name string) *letter {
	hole := c.holes[len(name)%16]
	hole.mu.Lock()
	defer hole.mu.Unlock()
	return hole.letters[name]
}

// Answer puts an answer elsewhere.
func (c *Cabinet) Answer(name string, l *letter) {
	hole := c.holes[(len(name)+1)%16]
	hole.mu.Lock()
	defer hole.mu.Unlock()
	hole.letters[name] = l
}

// Ensure answers what has come.
func (c *Cabinet) Ensure(name string) {
	if l := c.Letter(name); l == nil {
		c.Answer(name, &letter{lines: []string{name}})
	}
}
