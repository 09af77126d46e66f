package broken

import (
	"errors"
	"slices"
	"sync"
	"time"
)

type timetable struct {
	edition int64
	trains  []string
}

// Station has one goroutine that takes new timetables.
type Station struct {
	mu      sync.RWMutex
	edition int64
	trains  []string
	since   time.Time
	rows    []string
	number  int64
}

func OpenStation(in <-chan timetable) *Station {
	s := &Station{}
	go s.follow(in)
	return s
}

func (s *Station) follow(in <-chan timetable) {
	for t := range in {
		s.take(t)
		s.takeWhole(t)
	}
}

func sorted(trains []string) ([]string, error) {
	out := slices.Clone(trains)
	slices.Sort(out)
	if len(out) == 0 {
		return nil, errors.New("no trains")
	}
	return out, nil
}

func (s *Station) take(t timetable) {
	trains, err := sorted(t.trains)
	if err != nil {
		return
	}
	s.setEdition(t.edition) // want `s.edition and s.trains are set in two critical sections, one after the other; \(\*Station\).current reads both in one`
	s.setTrains(trains)
}

func (s *Station) setEdition(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.edition, s.since = n, time.Now()
}

func (s *Station) setTrains(trains []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trains = trains
}

func (s *Station) current() ([]string, int64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.trains, s.edition
}

func (s *Station) Find(name string) (int64, bool) {
	trains, edition := s.current()
	return edition, slices.Contains(trains, name)
}

func (s *Station) takeWhole(t timetable) {
	rows, err := sorted(t.trains)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = rows
	s.number = t.edition
}

func (s *Station) Row(name string) (int64, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.number, slices.Contains(s.rows, name)
}
