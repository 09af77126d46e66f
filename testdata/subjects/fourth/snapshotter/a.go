package snapshotter

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type Volume interface {
	Freeze(ctx context.Context) (id string, err error)
}

type Snapshotter struct {
	vol  Volume
	min  time.Duration
	busy sync.Mutex
	last time.Time
	ids  []string
}

func New(vol Volume, min time.Duration) *Snapshotter {
	return &Snapshotter{vol: vol, min: min}
}

func (s *Snapshotter) Tick(ctx context.Context) error {
	if !s.busy.TryLock() {
		return nil
	}
	defer s.busy.Unlock()
	if time.Since(s.last) < s.min {
		return nil
	}
	id, err := s.vol.Freeze(ctx)
	if err != nil {
		return fmt.Errorf("freeze: %w", err)
	}
	s.last = time.Now()
	s.ids = append(s.ids, id)
	return nil
}

func (s *Snapshotter) Run(ctx context.Context, triggers ...<-chan struct{}) {
	for _, tr := range triggers {
		go func() {
			for {
				select {
				case <-tr:
					_ = s.Tick(ctx)
				case <-ctx.Done():
					return
				}
			}
		}()
	}
}

func (s *Snapshotter) Count() int {
	s.busy.Lock()
	defer s.busy.Unlock()
	return len(s.ids)
}
