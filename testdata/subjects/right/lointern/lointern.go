// Package lointern numbers words; none is ever taken out.
package lointern

import (
	"strings"
	"sync"
)

// Words only grow: as long as there are as many as before, they are the same ones.
type Words struct {
	mu  sync.RWMutex
	ids map[string]int
	own []string
}

// New makes an empty set.
func New() *Words { return &Words{ids: map[string]int{}} }

// ID is the number of the word.
func (w *Words) ID(s string) int {
	w.mu.RLock()
	id, ok := w.ids[s]
	n := len(w.ids)
	w.mu.RUnlock()
	if ok {
		return id
	}
	word := strings.Clone(s)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.ids) != n {
		// Others have added some: perhaps this one.
		if id, ok := w.ids[s]; ok {
			return id
		}
	}
	id = len(w.own)
	w.own = append(w.own, word)
	w.ids[s] = id
	return id
}

// Word is the word of the number.
func (w *Words) Word(id int) string {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.own[id]
}
