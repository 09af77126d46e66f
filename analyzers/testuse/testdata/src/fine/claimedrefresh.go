package fine

import "sync"

// An Aneroid is read anew by one goroutine at a time: the flag that says so is asked with what that one has
// found, and cleared with it.
type Aneroid struct {
	mu      sync.Mutex
	reading bool
	broken  bool
	value   int
	measure func() (int, error)
}

func (b *Aneroid) Refresh() {
	renew := func() {
		v, err := b.measure()
		b.mu.Lock()
		defer b.mu.Unlock()
		b.reading = false
		if err != nil {
			b.broken = true
			return
		}
		b.value = v
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.reading && !b.broken {
		b.reading = true
		go renew()
	}
}

func (b *Aneroid) Value() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.value
}

func (b *Aneroid) Repair() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = false
}
