package fine

import "sync"

type labels map[string]struct{}

func (l labels) has(label string) bool { _, ok := l[label]; return ok }

func (l labels) add(all ...string) {
	for _, label := range all {
		l[label] = struct{}{}
	}
}

// Console has notes pinned to it.
type Console struct {
	mu     sync.Mutex
	pinned labels
	notes  chan string
}

// Pin looks and acts in one critical section.
func (b *Console) Pin(note string) {
	b.mu.Lock()
	known := b.pinned.has(note)
	if !known {
		b.pinned.add(note)
	}
	b.mu.Unlock()
	if !known {
		b.notes <- note
	}
}

// Replace adds other notes than the one that was looked for.
func (b *Console) Replace(old string, others ...string) {
	b.mu.Lock()
	known := b.pinned.has(old)
	b.mu.Unlock()
	if known {
		b.mu.Lock()
		b.pinned.add(others...)
		b.mu.Unlock()
	}
}

// Doorman asks for one seat and takes another.
type Doorman struct {
	mu    sync.Mutex
	taken labels
	shown chan string
}

// Swap takes other seats than the one that it asks for, under the lock.
func (d *Doorman) Swap(seat, other string) {
	d.mu.Lock()
	known := d.taken.has(seat)
	d.mu.Unlock()
	if !known {
		d.mu.Lock()
		d.taken.add(other, seat+other)
		d.mu.Unlock()
		d.shown <- seat
	}
}
