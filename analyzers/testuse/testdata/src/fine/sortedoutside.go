package fine

import (
	"slices"
	"sort"
	"sync"
)

// Lineup3 sorts copies, what it has taken out, and what it holds for writing.
type Lineup3 struct {
	mu      sync.RWMutex
	players []string
	reserve []string
	fans    []string
}

func (l *Lineup3) Join(player string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.players = append(l.players, player)
	l.reserve = append(l.reserve, player)
	l.fans = append(l.fans, player)
}

func (l *Lineup3) Sorted() []string {
	l.mu.RLock()
	players := slices.Clone(l.players)
	l.mu.RUnlock()
	sort.Strings(players)
	return players
}

func (l *Lineup3) TakeReserve() []string {
	l.mu.Lock()
	reserve := l.reserve
	l.reserve = nil
	l.mu.Unlock()
	sort.Strings(reserve)
	return reserve
}

func (l *Lineup3) First() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	fans := l.fans
	sort.Strings(fans)
	return fans[0]
}
