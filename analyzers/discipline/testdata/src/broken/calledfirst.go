package broken

import "sync"

// AddressBook has cards.
type AddressBook struct {
	mu    sync.Mutex
	cards map[string]addressCard
}

type addressCard struct {
	streets map[string]bool
	hits    int
}

// Find leaves the book to two methods but for one look.
func (b *AddressBook) Find(name string) bool {
	if n, ok := b.hitsOf(name); ok {
		return n > 0
	}
	b.enter(name, len(name))
	return b.cards[name].streets["main"] // want `b\.cards\[name\] is accessed here without the lock that all other functions hold for it: b\.mu in \(\*AddressBook\)\.enter`
}

// Newest does what enter does first, and holds the lock for the look.
func (b *AddressBook) Newest(name string) bool {
	b.enter(name, 0)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cards[name].streets["main"]
}

func (b *AddressBook) hitsOf(name string) (int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, ok := b.cards[name]
	return c.hits, ok
}

func (b *AddressBook) enter(name string, hits int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cards[name] = addressCard{streets: map[string]bool{}, hits: hits}
}
