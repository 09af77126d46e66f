package fine

import "sync"

// Discs are a number of discs at most.
type Discs struct {
	mu     sync.RWMutex
	discs  map[string]string
	max    int
	oldest string
}

// Put does all in one hold.
func (d *Discs) Put(title, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.discs) >= d.max {
		delete(d.discs, d.oldest)
	}
	d.discs[title] = text
}

// Add looks again once it has the lock.
func (d *Discs) Add(title, text string) bool {
	d.mu.RLock()
	n := len(d.discs)
	d.mu.RUnlock()
	if n > 0 && n == d.max {
		d.drop()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.discs) >= d.max {
		return false
	}
	d.discs[title] = text
	return true
}

func (d *Discs) drop() {
	d.mu.RLock()
	first := d.oldest
	d.mu.RUnlock()
	d.Remove(first)
}

// Remove takes one away.
func (d *Discs) Remove(title string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.discs[title]; there {
		delete(d.discs, title)
	}
}

// Glance puts the disc that it has found back, and sees whether there were too many when it came.
func (d *Discs) Glance(title string) {
	n := d.count()
	d.mu.Lock()
	if text, ok := d.discs[title]; ok {
		d.discs[title] = text + "."
	}
	d.mu.Unlock()
	if n > d.max {
		d.drop()
	}
}

func (d *Discs) count() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.discs)
}
