package fine

import "sync"

// Gearbox is readied by whoever needs it first.
type Gearbox struct {
	mu    sync.Mutex
	n     int
	begun bool
	ready chan struct{}
}

// Assemble looks and closes under the lock.
func (u *Gearbox) Assemble() {
	u.mu.Lock()
	defer u.mu.Unlock()
	select {
	case <-u.ready:
		return
	default:
	}
	defer close(u.ready)
	u.n++
}

// Finish is for the one who has begun.
func (u *Gearbox) Finish() {
	u.mu.Lock()
	mine := !u.begun
	u.begun = true
	u.mu.Unlock()
	if !mine {
		return
	}
	defer close(u.ready)
	u.n++
}
