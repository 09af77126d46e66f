package fine

import (
	"sync"
	"time"
)

// Slips gives what it works on a name before it does.
type Slips struct {
	mu    sync.RWMutex
	boats map[string]*boat
}

type boat struct{ paid time.Time }

func (b *Slips) Pay(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if it := b.boats[name]; it != nil {
		it.paid = time.Now()
	}
}

// Evict works under one hold.
func (b *Slips) Evict(before time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var due []string
	boats := b.boats
	for name, it := range boats {
		if it.paid.Before(before) {
			due = append(due, name)
		}
	}
	for _, name := range due {
		delete(b.boats, name)
	}
}

// Renew puts others in the place of all: what it goes through when the lock is released is
// nobody else's.
func (b *Slips) Renew() (old []*boat) {
	b.mu.Lock()
	boats := b.boats
	b.boats = map[string]*boat{}
	b.mu.Unlock()
	for _, it := range boats {
		old = append(old, it)
	}
	return old
}
