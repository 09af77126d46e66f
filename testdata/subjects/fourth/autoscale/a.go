package autoscale

import (
	"context"
	"log"
	"sync"
	"time"
)

type Metrics interface {
	Utilisation(ctx context.Context, group string) (float64, error)
}

type Scaler struct {
	group    string
	metrics  Metrics
	min, max int

	mu      sync.Mutex
	desired int
}

func NewScaler(group string, m Metrics, min, max int) *Scaler {
	return &Scaler{group: group, metrics: m, min: min, max: max, desired: min}
}

func (s *Scaler) Run(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		if err := s.reconcile(ctx); err != nil {
			log.Printf("scaler %s: %v", s.group, err)
		}
		time.Sleep(every)
	}
}

func (s *Scaler) reconcile(ctx context.Context) error {
	s.mu.Lock()
	want := s.desired
	s.mu.Unlock()

	load, err := s.metrics.Utilisation(ctx, s.group)
	if err != nil {
		return err
	}
	if load > 0.8 && want < s.max {
		want++
	} else if load < 0.3 && want > s.min {
		want--
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	s.desired = want
	return nil
}

// SetDesired is the manual override of the HTTP API.
func (s *Scaler) SetDesired(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.desired = max(s.min, min(n, s.max))
}

func (s *Scaler) Desired() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.desired
}
