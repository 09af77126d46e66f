package broken

import (
	"errors"
	"sync"
)

// Bobbin asks by one method whether it is cut, and uses its end itself.
type Bobbin struct {
	mu  sync.Mutex
	end *reel
}

type reel struct{ turns int }

func (s *Bobbin) intact() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		return errors.New("cut")
	}
	return nil
}

func (s *Bobbin) Turn() error {
	if err := s.intact(); err != nil { // want `another goroutine can change s.end \(in s.intact\) after it was tested and before it is used`
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end.turns++
	return nil
}

func (s *Bobbin) Cut() {
	s.mu.Lock()
	s.end = nil
	s.mu.Unlock()
}
