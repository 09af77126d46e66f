package owned

import "sync/atomic"

// Ring has many producers, who compete for tail, and one consumer.
type Ring struct {
	head, tail atomic.Uint64
	slots      [16]atomic.Pointer[int]
}

func (r *Ring) Add(v *int) bool {
	head, tail := r.head.Load(), r.tail.Load()
	if tail-head >= 16 || !r.tail.CompareAndSwap(tail, tail+1) {
		return false
	}
	r.slots[tail%16].Store(v)
	return true
}

func (r *Ring) Drain(use func(*int)) {
	head := r.head.Load()
	for head != r.tail.Load() {
		v := r.slots[head%16].Load()
		if v == nil {
			break
		}
		r.slots[head%16].Store(nil)
		use(v)
		head++
	}
	r.head.Store(head)
}

// Window competes for nothing: nobody has thought of more than one.
type Window struct {
	low, high atomic.Uint64
	moved     atomic.Bool
}

func (w *Window) Widen() {
	high := w.high.Load() // want `two goroutines can both read w.high before either stores it`
	w.moved.Store(true)
	w.high.Store(high + 1)
}

func (w *Window) Slide() {
	if w.moved.Load() {
		w.moved.Store(false)
	}
	low := w.low.Load() // want `two goroutines can both read w.low before either stores it`
	w.low.Store(low + 1)
}

// Turns are taken by everybody, who counts on next alone.
type Turns struct {
	next, last atomic.Uint64
	busy       atomic.Bool
}

func (t *Turns) Take() uint64 {
	n := t.next.Load() // want `two goroutines can both read t.next before either stores it`
	t.next.Store(n + 1)
	return n
}

func (t *Turns) Enter() bool { return t.busy.CompareAndSwap(false, true) }

// Grower is grown by the one whose CompareAndSwap has succeeded.
type Grower struct {
	size, grown atomic.Uint64
	growing     atomic.Bool
}

func (g *Grower) begin() bool { return g.growing.CompareAndSwap(false, true) }

func (g *Grower) Grow() {
	if !g.begin() {
		return
	}
	size := g.size.Load()
	g.size.Store(2 * size)
	g.growing.Store(false)
}

// Late looks at the size before it is its turn: another one may have had its turn since.
func (g *Grower) Late() {
	size := g.size.Load() // want `two goroutines can both read g.size before either stores it`
	if !g.begin() {
		return
	}
	g.size.Store(2 * size)
	g.growing.Store(false)
}

func (g *Grower) count() bool {
	for {
		n := g.grown.Load()
		if g.grown.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (g *Grower) Shrink() {
	size := g.size.Load() // want `two goroutines can both read g.size before either stores it`
	if !g.count() {
		return
	}
	g.size.Store(size / 2)
}
