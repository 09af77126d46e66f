package matchmaker

import (
	"errors"
	"slices"
	"sync"
)

var ErrNoOpponent = errors.New("no suitable opponent")

type Player struct {
	Name   string
	Rating int
}

type Pairing struct{ A, B Player }

type Lobby struct {
	mu      sync.Mutex
	waiting []Player
	spread  int
	started chan Pairing
}

func NewLobby(spread int) *Lobby {
	return &Lobby{spread: spread, started: make(chan Pairing, 32)}
}

func (l *Lobby) Join(p Player) {
	l.mu.Lock()
	l.waiting = append(l.waiting, p)
	l.mu.Unlock()
}

func (l *Lobby) Leave(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(p Player) bool { return p.Name == name })
}

func (l *Lobby) closest(p Player) (best int, other Player) {
	l.mu.Lock()
	defer l.mu.Unlock()
	best = -1
	gap := l.spread + 1
	for i, w := range l.waiting {
		if d := max(w.Rating-p.Rating, p.Rating-w.Rating); d < gap {
			best, gap, other = i, d, w
		}
	}
	return best, other
}

func (l *Lobby) Match(p Player) error {
	i, other := l.closest(p)
	if i < 0 {
		return ErrNoOpponent
	}
	l.mu.Lock()
	l.waiting = slices.Delete(l.waiting, i, i+1)
	l.mu.Unlock()
	l.started <- Pairing{p, other}
	return nil
}

func (l *Lobby) Started() <-chan Pairing { return l.started }
