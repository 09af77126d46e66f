package broken

import "sync"

// Trellis has a map with methods.
type Trellis struct {
	mu    sync.Mutex
	knots knotSet
}

type knotSet map[string]bool

func (s knotSet) tie(knot string) { s[knot] = true }
func (s knotSet) Size() int       { return len(s) }

func NewTrellis() *Trellis { return &Trellis{knots: knotSet{}} }

// Tie ties one.
func (t *Trellis) Tie(knot string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.knots.tie(knot)
}

// Untie unties one.
func (t *Trellis) Untie(knot string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.knots, knot)
}

// Knots counts them.
func (t *Trellis) Knots() int {
	return t.knots.Size() // want `len\(t.knots\) \(in t.knots.Size\) is accessed here without the lock that all other functions hold for it: t.mu in \(\*Trellis\).Tie`
}
