package fine

import "sync/atomic"

// A Ring has one that puts in and one that takes out: each moves its own cursor, and looks at the other.
type Ring struct {
	slots      [64]any
	head, tail atomic.Uint64
}

func (r *Ring) Put(v any) bool {
	tail := r.tail.Load()
	if tail-r.head.Load() == uint64(len(r.slots)) {
		return false
	}
	r.slots[tail%64] = v
	r.tail.Store(tail + 1)
	return true
}

func (r *Ring) Take() any {
	head := r.head.Load()
	if head == r.tail.Load() {
		return nil
	}
	v := r.slots[head%64]
	r.head.Store(head + 1)
	return v
}

func (r *Ring) Reset() {
	r.head.Store(0)
	r.tail.Store(0)
}

// A ManyRing has many that put in, as the package has it.
type ManyRing struct {
	slots      [64]any
	head, tail atomic.Uint64
}

func (r *ManyRing) put(v any) bool {
	tail := r.tail.Load() // want `r\.tail`
	if tail-r.head.Load() == uint64(len(r.slots)) {
		return false
	}
	r.tail.Store(tail + 1)
	return true
}

func (r *ManyRing) Take() any {
	head := r.head.Load()
	if head == r.tail.Load() {
		return nil
	}
	v := r.slots[head%64]
	r.head.Store(head + 1)
	return v
}

func (r *ManyRing) Fill(all []any) {
	for _, v := range all {
		go r.put(v)
	}
}

// A BothRing has one that moves both.
type BothRing struct {
	head, tail atomic.Uint64
}

func (r *BothRing) Put() {
	tail := r.tail.Load() // want `r\.tail`
	if tail-r.head.Load() < 64 {
		r.tail.Store(tail + 1)
	}
}

func (r *BothRing) Take() {
	head := r.head.Load() // want `r\.head`
	if head != r.tail.Load() {
		r.head.Store(head + 1)
	}
}

func (r *BothRing) Drop() {
	tail := r.tail.Load() // want `r\.tail`
	r.head.Store(tail)
	r.tail.Store(tail + 1)
}
