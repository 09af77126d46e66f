package fine

import (
	"errors"
	"sync"
)

var errOutdated = errors.New("outdated")

type leaf struct {
	revision int
	text     string
}

// A Book stores leaves whose revision is the one that was read.
type Book struct {
	commit sync.Mutex
	mu     sync.RWMutex
	leaves map[string]leaf
	log    func() error
}

func (b *Book) Outer(read map[string]int, put map[string]string) error {
	b.commit.Lock()
	defer b.commit.Unlock()
	b.mu.RLock()
	for id, revision := range read {
		if b.leaves[id].revision != revision {
			b.mu.RUnlock()
			return errOutdated
		}
	}
	b.mu.RUnlock()
	b.log()
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, text := range put {
		b.leaves[id] = leaf{b.leaves[id].revision + 1, text}
	}
	return nil
}

func (b *Book) Again(read map[string]int, put map[string]string) error {
	b.mu.RLock()
	for id, revision := range read {
		if b.leaves[id].revision != revision {
			b.mu.RUnlock()
			return errOutdated
		}
	}
	b.mu.RUnlock()
	b.log()
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, revision := range read {
		if b.leaves[id].revision != revision {
			return errOutdated
		}
	}
	for id, text := range put {
		b.leaves[id] = leaf{b.leaves[id].revision + 1, text}
	}
	return nil
}
