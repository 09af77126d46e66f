package broken

import "sync"

type List struct {
	mu    sync.Mutex
	items []string
}

func (l *List) Add(s string) {
	l.mu.Lock()
	l.items = append(l.items, s)
	l.mu.Unlock()
}

func (l *List) index(s string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.items {
		if l.items[i] == s {
			return i
		}
	}
	return -1
}

// Remove cuts where something else may stand by now.
func (l *List) Remove(s string) {
	i := l.index(s) // want `both read l.items \(in l.index\) before either stores it, and one update is lost: l.mu is released in between`
	if i < 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items = append(l.items[:i], l.items[i+1:]...)
}
