package fine

import (
	"container/heap"
	"sync"
)

type chore struct{ at int }

type chores []*chore

func (c chores) Len() int           { return len(c) }
func (c chores) Less(i, j int) bool { return c[i].at < c[j].at }
func (c chores) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *chores) Push(x any)        { *c = append(*c, x.(*chore)) }
func (c *chores) Pop() any {
	old := *c
	x := old[len(old)-1]
	*c = old[:len(old)-1]
	return x
}

// Household does chores in the order of their time.
type Household struct {
	mu   sync.Mutex
	due  chores
	done func(chore)
}

func NewHousehold(done func(chore)) *Household {
	h := &Household{done: done}
	go h.loop()
	return h
}

func (h *Household) Add(c *chore) {
	h.mu.Lock()
	defer h.mu.Unlock()
	heap.Push(&h.due, c)
}

func (h *Household) loop() {
	for {
		h.again()
		h.held()
		h.first()
	}
}

// again looks whether it is the first still.
func (h *Household) again() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.due.Len() > 0 {
		first := h.due[0]
		h.mu.Unlock()
		h.done(*first)
		h.mu.Lock()
		if h.due.Len() > 0 && h.due[0] == first {
			heap.Pop(&h.due)
		}
	}
}

// held keeps the lock.
func (h *Household) held() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.due.Len() > 0 {
		first := h.due[0]
		h.done(*first)
		heap.Pop(&h.due)
	}
}

// first takes it out before it gives up the lock.
func (h *Household) first() {
	h.mu.Lock()
	if h.due.Len() == 0 {
		h.mu.Unlock()
		return
	}
	first := h.due[0]
	heap.Pop(&h.due)
	h.mu.Unlock()
	h.done(*first)
}
