package fine

import (
	"sync"
	"sync/atomic"
)

// SongClub has a singer of each name.
type SongClub struct {
	mu      sync.RWMutex
	singers map[string]*Singer
	basses  map[string]*Bass
	altos   map[string]*Alto
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

// It looks whether it is itself.
func (s *Singer) finish() {
	s.choir.mu.Lock()
	defer s.choir.mu.Unlock()
	if s.choir.singers[s.name] == s {
		delete(s.choir.singers, s.name)
	}
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

// Bass is refused while the former one sings.
type Bass struct {
	choir   *SongClub
	name    string
	stopped atomic.Bool
}

// SingBass begins.
func (c *SongClub) SingBass(name string) *Bass {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.basses[name]; ok {
		return nil
	}
	b := &Bass{choir: c, name: name}
	c.basses[name] = b
	go b.run()
	return b
}

func (b *Bass) run() {
	for !b.stopped.Load() {
		println(b.name)
	}
	b.choir.mu.Lock()
	defer b.choir.mu.Unlock()
	delete(b.choir.basses, b.name)
}

// Stop does not wait.
func (b *Bass) Stop() { b.stopped.Store(true) }

// SilenceBass stops one.
func (c *SongClub) SilenceBass(name string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if b, ok := c.basses[name]; ok {
		b.Stop()
	}
}

// Alto is never stopped.
type Alto struct {
	choir *SongClub
	name  string
}

// SingAlto begins.
func (c *SongClub) SingAlto(name string) *Alto {
	a := &Alto{choir: c, name: name}
	c.mu.Lock()
	c.altos[name] = a
	c.mu.Unlock()
	go a.run()
	return a
}

func (a *Alto) run() {
	println(a.name)
	a.choir.mu.Lock()
	defer a.choir.mu.Unlock()
	delete(a.choir.altos, a.name)
}
