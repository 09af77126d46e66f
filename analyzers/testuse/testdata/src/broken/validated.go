package broken

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
	mu     sync.RWMutex
	leaves map[string]leaf
	log    func() error
}

func (b *Book) Commit(read map[string]int, put map[string]string) error {
	b.mu.RLock()
	for id, revision := range read {
		if now := b.leaves[id].revision; now != revision { // want `two goroutines can both find b.leaves as it was and store in it: b.mu is released in between, and nothing is compared again`
			b.mu.RUnlock()
			return errOutdated
		}
	}
	b.mu.RUnlock()
	if err := b.log(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, text := range put {
		b.leaves[id] = leaf{b.leaves[id].revision + 1, text}
	}
	return nil
}

func (b *Book) Update(id string, revision int, text string) bool {
	b.mu.Lock()
	at, ok := b.leaves[id]
	if !ok || at.revision != revision { // want `two goroutines can both find b.leaves as it was and store in it: b.mu is released in between, and nothing is compared again`
		b.mu.Unlock()
		return false
	}
	b.mu.Unlock()
	b.log()
	b.mu.Lock()
	b.leaves[id+".new"] = leaf{revision + 1, text}
	b.mu.Unlock()
	return true
}
