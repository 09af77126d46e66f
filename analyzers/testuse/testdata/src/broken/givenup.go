package broken

import "sync"

// Daybook is held for writing while it says so; Leave takes the lock for what it adds.
type Daybook struct {
	mu      *sync.RWMutex
	writing bool
	lines   []string
}

func (l *Daybook) Enter() {
	l.mu.Lock()
	l.writing = true
	l.mu.Unlock()
}

func (l *Daybook) Leave() {
	if l.writing { // want `two goroutines can both pass the test of l.writing and both set it: no lock is held`
		l.writing = false
		l.mu.Lock()
		l.lines = append(l.lines, "left")
		l.mu.Unlock()
	}
}
