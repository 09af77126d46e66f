package broken

import (
	"errors"
	"sync"
)

type stream struct {
	mu   sync.Mutex
	open int
}

func (s *stream) start() error { return s.count(1) }
func (s *stream) close()       { s.count(-1) }

func (s *stream) count(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += n
	return nil
}

// Jukebox leaves the next stream there.
type Jukebox struct {
	mu      sync.Mutex
	playing *stream
	next    *stream
}

func (j *Jukebox) Choose(s *stream) {
	j.mu.Lock()
	j.next = s
	j.mu.Unlock()
}

func (j *Jukebox) Turn() error {
	j.mu.Lock()
	next := j.next
	j.mu.Unlock()
	if next == nil {
		return nil
	}
	return j.play(next)
}

func (j *Jukebox) play(s *stream) error {
	j.mu.Lock()
	old := j.playing // want `two goroutines can both pass the test of j.playing and both set it: j.mu is released in between`
	j.mu.Unlock()
	if old == nil {
		s.close()
		return errors.New("off")
	}
	if err := s.start(); err != nil {
		return err
	}
	j.mu.Lock()
	if j.next != s {
		j.mu.Unlock()
		s.close()
		return errors.New("another was chosen")
	}
	j.playing = s
	j.mu.Unlock()
	old.close()
	return nil
}

// Player is given streams that nobody has chosen there.
type Player struct {
	mu      sync.Mutex
	playing *stream
	next    *stream
}

func (j *Player) Choose(s *stream) {
	j.mu.Lock()
	j.next = s
	j.mu.Unlock()
}

func (j *Player) Play(s *stream) error {
	j.mu.Lock()
	old := j.playing // want `two goroutines can both pass the test of j.playing and both set it: j.mu is released in between`
	j.mu.Unlock()
	if old == nil {
		s.close()
		return errors.New("off")
	}
	if err := s.start(); err != nil {
		return err
	}
	j.mu.Lock()
	if j.next != s {
		j.mu.Unlock()
		s.close()
		return errors.New("another was chosen")
	}
	j.playing = s
	j.next = nil
	j.mu.Unlock()
	old.close()
	return nil
}
