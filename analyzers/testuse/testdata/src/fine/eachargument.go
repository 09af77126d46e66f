package fine

import "sync"

type labels map[string]struct{}

func (l labels) has(label string) bool { _, ok := l[label]; return ok }

func (l labels) add(all ...string) {
	for _, label := range all {
		l[label] = struct{}{}
	}
}

// Board has notes pinned to it.
type Board struct {
	mu     sync.Mutex
	pinned labels
	notes  chan string
}

// Pin looks and acts in one critical section.
func (b *Board) Pin(note string) {
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
func (b *Board) Replace(old string, others ...string) {
	b.mu.Lock()
	known := b.pinned.has(old)
	b.mu.Unlock()
	if known {
		b.mu.Lock()
		b.pinned.add(others...)
		b.mu.Unlock()
	}
}
