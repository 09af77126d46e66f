package fine

import (
	"context"
	"sync"
)

// A Follower follows one at a time.
type Follower struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

func (f *Follower) Follow(ctx context.Context, run func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	f.mu.Lock()
	if f.cancel != nil {
		f.cancel()
	}
	f.cancel = cancel
	f.mu.Unlock()
	go run(ctx)
}

// Again takes it out first.
func (f *Follower) Again(ctx context.Context, run func(context.Context)) {
	f.mu.Lock()
	if f.cancel != nil {
		f.cancel()
		f.cancel = nil
	}
	f.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel != nil {
		cancel()
		return
	}
	f.cancel = cancel
	go run(ctx)
}

// Uptime only stores what it was told.
type Uptime struct {
	mu sync.RWMutex
	up map[string]bool
}

func (u *Uptime) isUp(name string) bool {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.up[name]
}

func (u *Uptime) Mark(name string, up bool) {
	if u.isUp(name) == up {
		return
	}
	u.mu.Lock()
	u.up[name] = up
	u.mu.Unlock()
}

// ChairCount are counted, and told of.
type ChairCount struct {
	mu    sync.Mutex
	taken int
	empty func()
}

func (s *ChairCount) Take() {
	s.mu.Lock()
	s.taken++
	s.mu.Unlock()
}

func (s *ChairCount) Leave() {
	s.mu.Lock()
	s.taken--
	none := s.taken == 0
	s.mu.Unlock()
	if none {
		s.empty()
	}
}
