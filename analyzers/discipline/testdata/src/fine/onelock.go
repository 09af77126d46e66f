package fine

import "sync"

// OneHeight shows a number in passing, and has methods that change it under the lock.
type OneHeight struct {
	mu    sync.Mutex
	top   int
	marks []string
	trace []string
}

func (h *OneHeight) Up(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.top++
	h.marks = append(h.marks, name)
}

func (h *OneHeight) Down() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.top--
	h.marks = h.marks[:0]
}

// Top is a look in passing.
func (h *OneHeight) Top() int { return h.top }

// addTrace is called with the lock held.
func (h *OneHeight) addTrace(t string) { h.trace = append(h.trace, t) }

func (h *OneHeight) Trace(t string) {
	h.mu.Lock()
	h.addTrace(t)
	h.mu.Unlock()
}

func (h *OneHeight) Traces() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.trace...)
}

// NewOneHeight has the object for itself.
func NewOneHeight(names ...string) *OneHeight {
	h := &OneHeight{}
	for _, n := range names {
		h.trace = append(h.trace, n)
	}
	return h
}

// Join waits until all goroutines are over before it looks.
func (h *OneHeight) Join(g *sync.WaitGroup) []string {
	g.Wait()
	return h.marks
}
