package raidlock

import (
	"sync"
	"time"
)

type hold struct {
	player string
	until  time.Time
}

type Locks struct {
	mu    sync.Mutex
	holds map[int]*hold
}

func NewLocks() *Locks { return &Locks{holds: make(map[int]*hold)} }

func (l *Locks) Hold(boss int, player string, d time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h, busy := l.holds[boss]; busy && h.player != player {
		return false
	}
	mine := &hold{player: player, until: time.Now().Add(d)}
	l.holds[boss] = mine
	time.AfterFunc(d, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if cur, ok := l.holds[boss]; ok && cur == mine {
			delete(l.holds, boss)
		}
	})
	return true
}

func (l *Locks) Free(boss int, player string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch h := l.holds[boss]; {
	case h == nil:
	case h.player == player:
		delete(l.holds, boss)
	}
}

func (l *Locks) Left(boss int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.holds[boss]; h != nil {
		return time.Until(h.until)
	}
	return 0
}
