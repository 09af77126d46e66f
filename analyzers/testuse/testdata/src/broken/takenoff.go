package broken

import (
	"slices"
	"sync"
)

// A Lighthouse has ships in sight, by harbour, and those that know its lamp.
type Lighthouse struct {
	mu      sync.RWMutex
	inSight map[string][]*ship
	known   map[*ship]bool
	horns   []chan int
	crew    []*ship
}

type ship struct {
	harbour string
	lamp    chan int
}

func (l *Lighthouse) Sight(s *ship, horn chan int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inSight[s.harbour] = append(l.inSight[s.harbour], s)
	l.known[s] = true
	l.horns = append(l.horns, horn)
	l.crew = append(l.crew, s)
}

func (l *Lighthouse) Flash(harbour string, n int) {
	l.mu.RLock()
	list := append([]*ship(nil), l.inSight[harbour]...) // want `s.lamp can be closed once l.mu is released, and the send then panics: \(\*Lighthouse\).Pass takes the object out of Lighthouse.inSight\[\] and closes its channel`
	l.mu.RUnlock()
	for _, s := range list {
		select {
		case s.lamp <- n:
		default:
		}
	}
}

func (l *Lighthouse) Pass(s *ship) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.inSight[s.harbour]
	for i, x := range list {
		if x == s {
			l.inSight[s.harbour] = append(list[:i:i], list[i+1:]...)
			break
		}
	}
	close(s.lamp)
}

func (l *Lighthouse) Blink(n int) {
	var list []*ship
	l.mu.RLock()
	for s := range l.known { // want `s.lamp can be closed once l.mu is released, and the send then panics: \(\*Lighthouse\).Forget takes the object out of Lighthouse.known\[\] and closes its channel`
		list = append(list, s)
	}
	l.mu.RUnlock()
	for _, s := range list {
		s.lamp <- n
	}
}

func (l *Lighthouse) Forget(s *ship) {
	l.mu.Lock()
	delete(l.known, s)
	l.mu.Unlock()
	close(s.lamp)
}

func (l *Lighthouse) Blow(n int) {
	l.mu.RLock()
	list := make([]chan int, len(l.horns)) // want `horn can be closed by another goroutine once l.mu is released, and the send then panics`
	copy(list, l.horns)
	l.mu.RUnlock()
	for _, horn := range list {
		horn <- n
	}
}

func (l *Lighthouse) Silence(horn chan int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, h := range l.horns {
		if h == horn {
			l.horns = slices.Delete(l.horns, i, i+1)
			close(horn)
			return
		}
	}
}

func (l *Lighthouse) Wake(n int) {
	l.mu.RLock()
	list := slices.Clone(l.crew) // want `s.lamp can be closed once l.mu is released, and the send then panics: \(\*Lighthouse\).Raze takes the object out of Lighthouse.crew\[\] and closes its channel`
	l.mu.RUnlock()
	for _, s := range list {
		s.lamp <- n
	}
}

func (l *Lighthouse) Raze() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.crew {
		close(s.lamp)
	}
	l.crew = nil
}
