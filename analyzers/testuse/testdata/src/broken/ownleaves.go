package broken

import (
	"sync"
	"sync/atomic"
)

// SongClub has a singer of each name.
type SongClub struct {
	mu      sync.RWMutex
	singers map[string]*Singer
}

// Singer sings until stopped.
type Singer struct {
	choir   *SongClub
	name    string
	stopped atomic.Bool
	songs   chan string
}

// Sing begins.
func (c *SongClub) Sing(name string) *Singer {
	s := &Singer{choir: c, name: name, songs: make(chan string, 8)}
	go s.run()
	c.mu.Lock()
	c.singers[name] = s
	c.mu.Unlock()
	return s
}

func (s *Singer) run() {
	for song := range s.songs {
		if s.stopped.Load() {
			break
		}
		println(song)
	}
	s.finish()
}

func (s *Singer) finish() {
	s.choir.mu.Lock()
	defer s.choir.mu.Unlock()
	delete(s.choir.singers, s.name) // want `what \(\*SongClub\).Sing puts into s.choir.singers is deleted here by the end of the former one, which \(\*SongClub\).Silence leaves there when it stops it: nothing looks whether it is still that one`
}

// Stop does not wait.
func (s *Singer) Stop() { s.stopped.Store(true) }

// Silence stops one.
func (c *SongClub) Silence(name string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if s, ok := c.singers[name]; ok {
		s.Stop()
	}
}
