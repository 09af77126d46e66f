// Spinlock guards the plain fields of a scoreboard by a home-made spin lock
// (CompareAndSwap and Gosched) and checks the final scores.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	players = 5
	games   = 40
)

// A spinLock is a mutual exclusion lock for very short critical sections.
type spinLock struct {
	held atomic.Bool
}

func (l *spinLock) Lock() {
	for !l.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (l *spinLock) Unlock() {
	l.held.Store(false)
}

type scoreboard struct {
	lock   spinLock
	games  int
	best   int
	leader string
	points map[string]int
}

// enter records the result of a game.
func (b *scoreboard) enter(player string, points int) {
	b.lock.Lock()
	b.games++
	b.points[player] += points
	if total := b.points[player]; total > b.best {
		b.best = total
		b.leader = player
	}
	b.lock.Unlock()
}

// standing returns who leads by how much.
func (b *scoreboard) standing() (leader string, best int) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.leader, b.best
}

func points(player, game int) int {
	return (player+2)*(game%11) + game%3
}

func main() {
	b := &scoreboard{points: make(map[string]int)}
	var decreased atomic.Bool
	var playing sync.WaitGroup
	start := make(chan struct{})
	for p := range players {
		playing.Go(func() {
			<-start
			name := fmt.Sprintf("player%d", p)
			last := 0
			for g := range games {
				b.enter(name, points(p, g))
				_, best := b.standing()
				if best < last {
					decreased.Store(true)
				}
				last = best
			}
		})
	}
	close(start)
	playing.Wait()

	best := 0
	right := b.games == players*games && !decreased.Load()
	for p := range players {
		total := 0
		for g := range games {
			total += points(p, g)
		}
		right = right && b.points[fmt.Sprintf("player%d", p)] == total
		best = max(best, total)
	}
	if !right || b.best != best {
		fmt.Printf("WRONG: %d games, best %d (expected %d), scores %v\n", b.games, b.best, best, b.points)
		os.Exit(1)
	}
	fmt.Printf("ok: %d games, %s leads with %d\n", b.games, b.leader, b.best)
}
