package fine

import "sync"

// Daybook is held for reading or for writing, and Leave knows which.
type Daybook struct {
	mu      *sync.RWMutex
	writing bool
	lines   []string
}

func (l *Daybook) Enter(writing bool) {
	if writing {
		l.mu.Lock()
		l.writing = true
	} else {
		l.mu.RLock()
	}
}

func (l *Daybook) Leave() {
	if l.writing {
		l.writing = false
		l.mu.Unlock()
	} else {
		l.mu.RUnlock()
	}
}
