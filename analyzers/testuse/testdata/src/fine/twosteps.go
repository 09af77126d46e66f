package fine

import (
	"errors"
	"sync"

	"containers"
)

var errReused = errors.New("used before")

var errBlocked = errors.New("blocked")

// Logins look and store under a lock of their own, or what they store does not matter.
type Logins struct {
	mu      sync.Mutex
	waiting *containers.LRU[string, *string]
	lengths *containers.LRU[string, int]
	blocked *containers.Cache
	simple  *containers.Simple[string, int]
}

func NewLogins(names []string) (*Logins, error) {
	l := &Logins{waiting: &containers.LRU[string, *string]{}}
	for _, name := range names {
		if _, ok := l.waiting.Get(name); ok {
			return nil, errReused
		}
		l.waiting.Add(name, &name)
	}
	return l, nil
}

func (l *Logins) Store(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.waiting.Get(name); ok {
		return errReused
	}
	l.waiting.Add(name, &name)
	return nil
}

// Again looks once more under the lock.
func (l *Logins) Again(name string) error {
	if _, ok := l.waiting.Get(name); ok {
		return errReused
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.waiting.Get(name); ok {
		return errReused
	}
	l.waiting.Add(name, &name)
	return nil
}

// Take asks which of two has removed it.
func (l *Logins) Take(name string) *string {
	if v, ok := l.waiting.Get(name); ok {
		if l.waiting.Remove(name) {
			return v
		}
	}
	return nil
}

// Expire removes what is too old, and returns nothing.
func (l *Logins) Expire(name string) *string {
	if v, ok := l.waiting.Get(name); ok {
		if *v != "" {
			return v
		}
		l.waiting.Remove(name)
	}
	return nil
}

// Length is a cache.
func (l *Logins) Length(name string) int {
	if n, ok := l.lengths.Get(name); ok {
		return n
	}
	n := len(name)
	l.lengths.Add(name, n)
	return n
}

// Check remembers what has failed, which is the same each time.
func (l *Logins) Check(name string) error {
	if _, ok := l.blocked.Get(name); ok {
		return errBlocked
	}
	if err := check(name); err != nil {
		l.blocked.Set(name, true, 60)
		return err
	}
	return nil
}

func check(name string) error {
	if name == "" {
		return errBlocked
	}
	return nil
}

// Count has a container without locks, which this rule is not about.
func (l *Logins) Count(name string) error {
	if _, ok := l.simple.Get(name); ok {
		return errReused
	}
	l.simple.Add(name, 1)
	return nil
}

// Other stores another key than it has looked at.
func (l *Logins) Other(name, alias string) error {
	if _, ok := l.waiting.Get(name); ok {
		return errReused
	}
	l.waiting.Add(alias, &name)
	return nil
}
