package fine

import (
	"container/ring"
	"sync"
)

// Lottery has its tickets on a wheel.
type Lottery struct {
	mu      sync.RWMutex
	tickets *ring.Ring
	at      int
	users   int
	all     []string
}

func (l *Lottery) Put(ticket string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tickets = l.tickets.Next()
	l.tickets.Value = ticket
}

// All goes on from where it has moved to by the lock that it has moved it on with.
func (l *Lottery) All() (list []any) {
	l.mu.Lock()
	l.tickets = l.tickets.Next()
	first := l.tickets
	l.mu.Unlock()
	l.mu.RLock()
	defer l.mu.RUnlock()
	first.Do(func(v any) { list = append(list, v) })
	return list
}

// Turn keeps the lock.
func (l *Lottery) Turn() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = (l.at + 1) % len(l.all)
	return l.all[l.at]
}

// Use counts the users, and takes itself out again.
func (l *Lottery) Use(do func()) bool {
	l.mu.Lock()
	l.users++
	l.mu.Unlock()
	do()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users--
	return l.users == 0
}

// Turns moves it on, and sets it to the first one afterwards.
func (l *Lottery) Turns() string {
	l.mu.Lock()
	l.at++
	l.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = 0
	return l.all[l.at]
}
