package fine

import "sync"

// Nothing is put into what is kept under a name: the second one is like the first.
type Layouts struct {
	mu    sync.RWMutex
	known map[string]map[string]int
}

func (l *Layouts) Know(table string) {
	l.mu.RLock()
	_, ok := l.known[table]
	l.mu.RUnlock()
	if ok {
		return
	}
	l.mu.Lock()
	l.known[table] = make(map[string]int)
	l.mu.Unlock()
}

func (l *Layouts) Knows(table string) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.known[table] != nil
}
