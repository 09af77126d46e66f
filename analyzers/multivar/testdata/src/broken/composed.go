package broken

import "sync"

// Seat is a state of which several fields change together.
type Seat struct {
	mu    sync.RWMutex
	round uint64
	chair string
	host  string
	port  int
}

type motion struct {
	Round uint64
	Chair string
}

func (s *Seat) Round() uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.round
}

func (s *Seat) Chair() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.chair
}

func (s *Seat) Elect(round uint64, chair string) {
	s.mu.Lock()
	s.round = round
	s.chair = chair
	s.mu.Unlock()
}

func (s *Seat) move(host string, port int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.host, s.port = host, port
}

func (s *Seat) Move(host string, port int) { s.move(host, port) }

type Assembly struct {
	Seat
	motions chan motion
}

// Propose makes an object of two getters.
func (a *Assembly) Propose() {
	a.motions <- motion{
		Round: a.Round(), // want `Seat.round and Seat.chair are read in two critical sections and used together; \(\*Seat\).Elect changes both in one`
		Chair: a.Chair(),
	}
}

// ProposeTo does it by way of locals, and without names.
func (s *Seat) ProposeTo(to chan<- *motion) {
	round := s.Round() // want `Seat.round and Seat.chair are read in two critical sections`
	chair := s.Chair()
	if chair == "" {
		return
	}
	to <- &motion{round, chair}
}

// Address returns the two.
func (s *Seat) Address() (string, int) {
	s.mu.RLock()
	host := s.host // want `Seat.host and Seat.port are read in two critical sections`
	s.mu.RUnlock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	return host, s.port
}
