package broken

import "sync"

// A Tap is opened once. It is safe for concurrent use.
type Tap struct {
	mu   sync.Mutex
	open bool
	turn func()
}

func NewTap(turn func()) *Tap { return &Tap{turn: turn} }

func (t *Tap) Drain() {
	t.mu.Lock()
	if t.open {
		t.mu.Unlock()
		return
	}
	t.open = true
	t.mu.Unlock()
	t.turn()
}

func (t *Tap) IsOpen() bool {
	return t.open // want `t.open is returned here without t.mu, with which \(\*Tap\).Drain writes it`
}
