package broken

import (
	"errors"
	"fmt"
	"sync"

	"trees"
)

// Stalls are kept in a container of another package.
type Stalls struct {
	mu    sync.Mutex
	taken *trees.Map
}

// Book books a seat.
func (s *Stalls) Book(seat, by string) error {
	s.mu.Lock()
	_, taken := s.taken.Get(seat) // want `two goroutines can both pass the test of s.taken\[seat\] and both set it: s.mu is released in between`
	s.mu.Unlock()
	if taken {
		return errors.New("taken")
	}
	if err := bill(by); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken.Put(seat, by)
	return nil
}

func bill(string) error { return nil }

// SentMails knows them by a hash.
type SentMails struct {
	sync.Mutex
	known *trees.Map
	hits  int
}

func digest(address string) string {
	sum := 0
	for _, c := range address {
		sum = sum*31 + int(c)
	}
	return fmt.Sprint(sum)
}

func (m *SentMails) Seen(address string) bool {
	hash := digest(address)
	m.Lock()
	defer m.Unlock()
	if _, ok := m.known.Get(hash); !ok {
		return false
	}
	m.hits++
	return true
}

func (m *SentMails) Remember(address string) {
	hash := digest(address)
	m.Lock()
	defer m.Unlock()
	m.known.Put(hash, nil)
}

type Mailer struct {
	sent *SentMails
	out  func(address string) error
}

// Send sends what was not sent yet.
func (m *Mailer) Send(address string) error {
	if m.sent.Seen(address) { // want `two goroutines can both pass the test of m.sent.known \(in m.sent.Seen\) and both set it: m.sent.Mutex is released in between`
		return nil
	}
	if err := m.out(address); err != nil {
		return err
	}
	m.sent.Remember(address)
	return nil
}
