package broken

import "sync"

// Gearbox is readied by whoever needs it first.
type Gearbox struct {
	mu    sync.Mutex
	n     int
	ready chan struct{}
	parts []*Gearbox
}

// Assemble closes at its end.
func (u *Gearbox) Assemble() error {
	select {
	case <-u.ready: // want `two goroutines can both find u.ready open and close it twice: the look and close are two operations`
		return nil
	default:
	}
	defer close(u.ready)
	for _, p := range u.parts {
		if err := p.Assemble(); err != nil {
			return err
		}
	}
	u.mu.Lock()
	u.n++
	u.mu.Unlock()
	return nil
}
