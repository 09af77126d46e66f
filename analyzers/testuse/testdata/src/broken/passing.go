package broken

import (
	"sync"
	"time"
)

// Berths gives what it works on a name before it does.
type Berths struct {
	mu    sync.RWMutex
	boats map[string]*boat
}

type boat struct {
	paid  time.Time
	calls chan string
}

func NewBerths() *Berths { return &Berths{boats: map[string]*boat{}} }

func (b *Berths) Pay(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if it := b.boats[name]; it != nil {
		it.paid = time.Now()
	}
}

func (b *Berths) Evict(before time.Time) {
	var due []string
	b.mu.RLock()
	boats := b.boats
	for name, it := range boats {
		if it.paid.Before(before) { // want `paid can be changed by \(\*Berths\).Pay after it was looked at here and before the entry is deleted from b.boats`
			due = append(due, name)
		}
	}
	b.mu.RUnlock()
	for _, name := range due {
		b.mu.Lock()
		delete(b.boats, name)
		b.mu.Unlock()
	}
}

func (b *Berths) Leave(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if it := b.boats[name]; it != nil {
		delete(b.boats, name)
		calls := it.calls
		close(calls)
	}
}

func (b *Berths) Call(name, text string) {
	b.mu.RLock()
	it := b.boats[name] // want `it.calls can be closed once b.mu is released, and the send then panics: \(\*Berths\).Leave takes the object out`
	b.mu.RUnlock()
	if it != nil {
		calls := it.calls
		calls <- text
	}
}
