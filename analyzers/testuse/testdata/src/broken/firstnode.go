package broken

import "sync"

type satchel struct{ weight int }

type satchelLink struct {
	item *satchel
	next *satchelLink
}

// SatchelLine is used by many goroutines.
type SatchelLine struct {
	mu    sync.Mutex
	first *satchelLink
}

func (l *SatchelLine) Put(p *satchel) {
	if l.first == nil { // want `two goroutines can both pass the test of l.first and both set it`
		l.mu.Lock()
		l.first = &satchelLink{item: p}
		l.mu.Unlock()
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.first
	for last.next != nil {
		last = last.next
	}
	last.next = &satchelLink{item: p}
}

func (l *SatchelLine) Take() *satchel {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		return nil
	}
	p := l.first.item
	l.first = l.first.next
	return p
}
