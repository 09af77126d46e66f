// Package rings has a queue that knows of no locks.
package rings

// Ring keeps what was pushed, in order.
type Ring struct {
	items       []string
	first, free int
	count       int
}

// Len is the number of items.
func (r *Ring) Len() int {
	if r == nil {
		return 0
	}
	return r.count
}

// PushBack puts an item behind all others.
func (r *Ring) PushBack(item string) {
	r.grow()
	r.items[r.free] = item
	r.free = (r.free + 1) % len(r.items)
	r.count++
}

func (r *Ring) grow() {
	if r.count < len(r.items) {
		return
	}
	items := make([]string, 2*r.count+1)
	for i := range r.count {
		items[i] = r.items[(r.first+i)%r.count]
	}
	r.items, r.first, r.free = items, 0, r.count
}

// PopFront takes the first item out.
func (r *Ring) PopFront() string {
	if r.count == 0 {
		panic("rings: the ring is empty")
	}
	item := r.items[r.first]
	r.items[r.first] = ""
	r.first = (r.first + 1) % len(r.items)
	r.count--
	return item
}
