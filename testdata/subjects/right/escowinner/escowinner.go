// Package escowinner has a table for each game, which is replaced by another one when it changes.
package escowinner

import (
	"maps"
	"sync"
)

// Scores has tables: none is changed once it is in the map.
type Scores struct {
	mu    sync.RWMutex
	games map[string]map[string]int
}

// New makes an empty one.
func New() *Scores { return &Scores{games: map[string]map[string]int{}} }

// Set sets a score in a copy of the table.
func (s *Scores) Set(game, who string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := make(map[string]int, len(s.games[game])+1)
	maps.Copy(next, s.games[game])
	next[who] = n
	s.games[game] = next
}

// Add adds to a score, in a clone of the table.
func (s *Scores) Add(game, who string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := maps.Clone(s.games[game])
	if next == nil {
		next = map[string]int{}
	}
	next[who] += n
	s.games[game] = next
}

// Of is the table of the game, which is read only.
func (s *Scores) Of(game string) map[string]int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.games[game]
}

// Best is who has most.
func (s *Scores) Best(game string) (who string) {
	top := -1
	for name, n := range s.Of(game) {
		if n > top {
			who, top = name, n
		}
	}
	return who
}
