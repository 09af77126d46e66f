package fine

import "sync"

type rumours struct {
	mu    sync.Mutex
	heard []chan string
}

func (g *rumours) Watch() <-chan string {
	g.mu.Lock()
	defer g.mu.Unlock()
	ch := make(chan string, 10)
	g.heard = append(g.heard, ch)
	return ch
}

func (g *rumours) WatchFrom(revision int) <-chan string { return g.Watch() }

func (g *rumours) Publish(s string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, ch := range g.heard {
		select {
		case ch <- s:
		default:
		}
	}
}

// Township has people, and tells of those who come.
type Township struct {
	mu       sync.RWMutex
	people   map[string]int
	revision int
	streets  []string
	news     *rumours
}

func (t *Township) Welcome(name string, age int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.people[name] = age
	t.revision++
	t.news.Publish(name)
}

// Greet watches first.
func (t *Township) Greet(greet func(string)) {
	more := t.news.Watch()
	t.mu.RLock()
	names := make([]string, 0, len(t.people))
	for name := range t.people {
		names = append(names, name)
	}
	t.mu.RUnlock()
	for _, name := range names {
		greet(name)
	}
	for name := range more {
		greet(name)
	}
}

// GreetInHold watches in the same hold of the lock.
func (t *Township) GreetInHold(greet func(string)) {
	var names []string
	t.mu.RLock()
	for name := range t.people {
		names = append(names, name)
	}
	more := t.news.Watch()
	t.mu.RUnlock()
	for _, name := range names {
		greet(name)
	}
	for name := range more {
		greet(name)
	}
}

// GreetSince says what it has seen.
func (t *Township) GreetSince(greet func(string)) {
	var names []string
	t.mu.RLock()
	for name := range t.people {
		names = append(names, name)
	}
	revision := t.revision
	t.mu.RUnlock()
	for _, name := range names {
		greet(name)
	}
	for name := range t.news.WatchFrom(revision) {
		greet(name)
	}
}

// Paint goes through what is not told of.
func (t *Township) Paint(paint func(string)) {
	t.mu.RLock()
	for _, s := range t.streets {
		paint(s)
	}
	t.mu.RUnlock()
	for name := range t.news.Watch() {
		paint(name)
	}
}

func (t *Township) Build(street string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.streets = append(t.streets, street)
}
