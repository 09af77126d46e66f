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

// BenchThree is filled and put in order by one goroutine.
type BenchThree struct {
	mu      sync.Mutex
	players []string
}

func (b *BenchThree) add(player string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.players = append(b.players, player)
}

func (b *BenchThree) sorted() []string {
	b.mu.Lock()
	players := b.players
	b.mu.Unlock()
	sort.Strings(players)
	return players
}

func WarmUp(names []string) {
	b := &BenchThree{}
	done := make(chan bool)
	go func() {
		for _, n := range names {
			b.add(n)
		}
		b.sorted()
		close(done)
	}()
	<-done
}
