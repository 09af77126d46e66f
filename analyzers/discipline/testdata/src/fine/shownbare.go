package fine

import "sync"

// A Hose is opened once. It is safe for concurrent use.
type Hose struct {
	mu   sync.Mutex
	open bool
	long int
	turn func()
}

func NewHose(turn func(), long int) *Hose { return &Hose{turn: turn, long: long} }

func (h *Hose) Open() {
	h.mu.Lock()
	was := h.open
	h.open = true
	h.mu.Unlock()
	if !was {
		h.turn()
	}
}

func (h *Hose) IsOpen() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

func (h *Hose) Long() int { return h.long }
