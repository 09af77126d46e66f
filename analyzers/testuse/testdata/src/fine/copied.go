package fine

import "sync"

// Sketch is copied under its own lock: the copy is nobody else's yet.
type Sketch struct {
	mu    sync.Mutex
	title string
	marks map[string]int
	steps []string
}

func NewSketch(title string, steps []string) *Sketch {
	return &Sketch{title: title, steps: steps, marks: map[string]int{}}
}

func (c *Sketch) CopyTo(o any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	into := o.(*Sketch)
	into.title = c.title
	into.steps = append(into.steps[:0], c.steps...)
	into.marks = make(map[string]int, len(c.marks))
	for k, v := range c.marks {
		into.marks[k] = v
	}
}

// Marks hands out what has been filled in once, before anybody had the chart.
func (c *Sketch) Marks() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.marks
}

func (c *Sketch) Rename(t string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.title = t
}
