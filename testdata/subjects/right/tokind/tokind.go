// Package tokind has topics, whose kind their names tell.
package tokind

import (
	"strings"
	"sync"
)

type topic struct {
	temporary bool // as its name tells
	last      []byte
}

// Topics have their last messages.
type Topics struct {
	mu  sync.RWMutex
	all map[string]topic
	n   int
}

// New makes an empty one.
func New() *Topics { return &Topics{all: map[string]topic{}} }

// Publish stores the last message.
func (t *Topics) Publish(name string, p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all[name] = topic{temporary: strings.HasPrefix(name, "tmp."), last: p}
	t.n++
}

// Release deletes a temporary topic, with whatever is its last message by now.
func (t *Topics) Release(name string) {
	t.mu.RLock()
	x, ok := t.all[name]
	t.mu.RUnlock()
	if !ok || !x.temporary {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.all[name]; ok {
		t.n--
		delete(t.all, name)
	}
}

// Last is the last message.
func (t *Topics) Last(name string) []byte {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.all[name].last
}
