package fine

import "sync"

type beacon struct{ lit bool }

func (b *beacon) shine()  { b.lit = true }
func (b *beacon) darken() { b.lit = false }

// Lightship sets its beacon before it starts the goroutine that uses it.
type Lightship struct {
	mu     sync.Mutex
	beacon *beacon
	gone   bool
}

// Run sets it going.
func (l *Lightship) Run() {
	l.mu.Lock()
	l.beacon = &beacon{}
	if l.gone {
		l.mu.Unlock()
		return
	}
	l.mu.Unlock()
	go func() {
		l.beacon.shine()
	}()
}

// Shutdown ends it.
func (l *Lightship) Shutdown() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = true
	if l.beacon != nil {
		l.beacon.darken()
	}
}

// Lit tells whether there is one.
func (l *Lightship) Lit() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.beacon != nil
}
