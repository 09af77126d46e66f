package broken

import (
	"sync"
	"sync/atomic"
	"time"
)

// Guesthouse lets its rooms; what is done under the lock is done by functions of their own,
// which nothing else calls.
type Guesthouse struct {
	mu    sync.RWMutex
	rooms map[string]*guestroom
}

type guestroom struct{ used time.Time }

func (l *Guesthouse) Enter(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.enter(name)
}

func (l *Guesthouse) enter(name string) {
	if r := l.rooms[name]; r != nil {
		r.used = time.Now()
		return
	}
	l.rooms[name] = &guestroom{used: time.Now()}
}

func (l *Guesthouse) unused(limit time.Time) (names []string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.before(limit)
}

func (l *Guesthouse) before(limit time.Time) (names []string) {
	for name, r := range l.rooms {
		if r.used.Before(limit) { // want `used can be changed by \(\*Guesthouse\).Enter after it was looked at here and before the entry is deleted from l.rooms`
			names = append(names, name)
		}
	}
	return names
}

func (l *Guesthouse) Sweep() {
	for _, name := range l.unused(time.Now().Add(-time.Hour)) {
		l.mu.Lock()
		delete(l.rooms, name)
		l.mu.Unlock()
	}
}

// Foyer lets a number of people in.
type Foyer struct {
	inside atomic.Int32
	limit  int32
}

func (f *Foyer) Enter() bool {
	if f.full() { // want `two goroutines can both pass the test of f.inside \(in f.full\) and both add to it`
		return false
	}
	f.comeIn()
	return true
}

func (f *Foyer) comeIn() { f.inside.Add(1) }

func (f *Foyer) full() bool { return f.inside.Load() >= f.limit }

// Lobby is as Foyer, with its parts above.
type Lobby struct {
	mu     sync.Mutex
	guests map[string]int
	greet  func(string)
}

func (l *Lobby) isEmpty() bool { return len(l.guests) == 0 }

func (l *Lobby) add(name string) {
	l.guests[name] = 1
	l.greet(name)
}

func (l *Lobby) Enter(name string) {
	l.mu.Lock()
	empty := l.isEmpty() // want `two goroutines can both pass the test of l.guests \(in l.isEmpty\) and both set it: l.mu is released in between`
	l.mu.Unlock()
	if empty {
		l.mu.Lock()
		l.add(name)
		l.mu.Unlock()
	}
}
