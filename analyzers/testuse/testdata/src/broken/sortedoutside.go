package broken

import (
	"slices"
	"sort"
	"sync"
)

// Lineup has the names of those who play.
type Lineup struct {
	mu      sync.RWMutex
	players []string
	byTeam  map[string]int
}

func (l *Lineup) Join(player string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.players = append(l.players, player)
}

func (l *Lineup) Has(player string) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Contains(l.players, player)
}

func (l *Lineup) Sorted() []string {
	l.mu.RLock()
	players := l.players // want `players has the array of l\.players, which sort\.Strings changes here without l\.mu held for writing, while \(\*Lineup\)\.Join uses it under that lock: a copy has to be made first`
	l.mu.RUnlock()
	sort.Strings(players)
	return players
}

// Lineup2 puts its players in order while others may read them.
type Lineup2 struct {
	mu      sync.RWMutex
	players []string
}

func (l *Lineup2) Join(player string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.players = append(l.players, player)
}

func (l *Lineup2) Last() string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	players := l.players // want `players has the array of l\.players, which slices\.Reverse changes here without l\.mu held for writing`
	slices.Reverse(players)
	return players[0]
}
