package metricsink

import (
	"errors"
	"sync"
	"time"
)

var ErrBacklog = errors.New("metricsink: backlog full")

type Point struct {
	Name  string
	Value float64
	At    time.Time
}

type Sink struct {
	out chan Point

	mu      sync.Mutex
	dropped uint64
	since   time.Time
}

func New(depth int) *Sink {
	return &Sink{out: make(chan Point, depth), since: time.Now()}
}

func (s *Sink) Push(name string, v float64) error {
	p := Point{Name: name, Value: v, At: time.Now()}
	select {
	case s.out <- p:
		return nil
	default:
	}
	s.dropped++
	return ErrBacklog
}

func (s *Sink) Points() <-chan Point { return s.out }

func (s *Sink) Stats() (dropped uint64, window time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped, time.Since(s.since)
}

func (s *Sink) Reset() {
	s.mu.Lock()
	s.dropped = 0
	s.since = time.Now()
	s.mu.Unlock()
}
