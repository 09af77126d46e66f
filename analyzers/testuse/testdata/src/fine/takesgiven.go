package fine

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

// Jukebox plays one stream, until the next is ready.
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

// Turn hands on what it has found there.
func (j *Jukebox) Turn() error {
	j.mu.Lock()
	next := j.next
	j.mu.Unlock()
	if next == nil {
		return nil
	}
	return j.play(next)
}

// play goes on only where the stream is still the next one, and it is that no more then.
func (j *Jukebox) play(s *stream) error {
	j.mu.Lock()
	old := j.playing
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

func (j *Jukebox) Playing() *stream {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.playing
}
