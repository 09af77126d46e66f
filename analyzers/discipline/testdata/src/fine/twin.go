package fine

import "sync"

type trough struct {
	mu   sync.Mutex
	rows map[string]int
	next *trough
}

// Troughs has a lock for each of its bins.
type Troughs struct{ list [8]*trough }

func (b *Troughs) of(k string) *trough { return b.list[len(k)%len(b.list)] }

func (b *Troughs) Put(k string, n int) {
	x := b.of(k)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rows[k] = n
}

func (b *Troughs) Get(k string) int {
	x := b.of(k)
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.rows[k]
}

func (b *Troughs) Drop(k string) {
	x := b.of(k)
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.rows, k)
}

// Move holds both, if they are two.
func (b *Troughs) Move(from, to string) {
	x, y := b.of(from), b.of(to)
	x.mu.Lock()
	defer x.mu.Unlock()
	if y != x {
		y.mu.Lock()
		defer y.mu.Unlock()
	}
	y.rows[to] = x.rows[from]
	delete(x.rows, from)
}

// Swap holds the one after the other.
func (b *Troughs) Swap(from, to string) {
	x, y := b.of(from), b.of(to)
	x.mu.Lock()
	n := x.rows[from]
	x.mu.Unlock()
	y.mu.Lock()
	y.rows[to] = n
	y.mu.Unlock()
}

// Split fills a new one, which nobody else has.
func (x *trough) Split(k string) *trough {
	x.mu.Lock()
	defer x.mu.Unlock()
	y := &trough{rows: map[string]int{}}
	y.rows[k] = x.rows[k]
	x.next = y
	return y
}

// Join knows when the two are one.
func (b *Troughs) Join(from, to string) {
	x, y := b.of(from), b.of(to)
	if x == y {
		x.mu.Lock()
		defer x.mu.Unlock()
		y.rows[to] = x.rows[from]
	}
}
