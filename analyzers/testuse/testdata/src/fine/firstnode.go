package fine

import "sync"

type crateLink struct {
	item int
	next *crateLink
}

// CrateLine is used by many goroutines.
type CrateLine struct {
	mu    sync.Mutex
	first *crateLink
	empty *crateLink
}

func (l *CrateLine) Put(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		l.first = &crateLink{item: n}
		return
	}
	l.first = &crateLink{item: n, next: l.first}
}

// End gives what stands for the end of the line: one is as good as another.
func (l *CrateLine) End() *crateLink {
	l.mu.Lock()
	end := l.empty
	l.mu.Unlock()
	if end == nil {
		end = &crateLink{}
		l.mu.Lock()
		l.empty = end
		l.mu.Unlock()
	}
	return end
}
