// Package cronplan runs periodic jobs for a service.
package cronplan

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

type phase uint8

const (
	idle phase = iota
	running
	paused
)

var ErrNoJob = errors.New("cronplan: no such job")

type Func func(context.Context) error

type job struct {
	run    Func
	every  time.Duration
	next   time.Time
	phase  phase
	missed int
	errs   int
}

type Scheduler struct {
	log *slog.Logger
	max int

	planMu sync.Mutex
	plan   map[string]job
	active int
	nudge  chan struct{}
}

func New(ctx context.Context, max int, log *slog.Logger) *Scheduler {
	s := &Scheduler{log: log, max: max, plan: make(map[string]job), nudge: make(chan struct{}, 1)}
	go s.dispatch(ctx)
	return s
}

func (s *Scheduler) Add(name string, every time.Duration, fn Func) {
	s.planMu.Lock()
	s.plan[name] = job{run: fn, every: every, next: time.Now().Add(every)}
	s.planMu.Unlock()
	s.poke()
}

func (s *Scheduler) Remove(name string) {
	s.planMu.Lock()
	defer s.planMu.Unlock()
	delete(s.plan, name)
}

func (s *Scheduler) Pause(name string) error {
	s.planMu.Lock()
	defer s.planMu.Unlock()
	j, ok := s.plan[name]
	if !ok {
		return ErrNoJob
	}
	j.phase = paused
	s.plan[name] = j
	return nil
}

func (s *Scheduler) poke() {
	select {
	case s.nudge <- struct{}{}:
	default:
	}
}

func (s *Scheduler) finish(name string, err error) {
	s.planMu.Lock()
	defer s.planMu.Unlock()
	s.active--
	j, ok := s.plan[name]
	if !ok {
		return
	}
	if err != nil {
		j.errs++
	}
	if j.phase == running {
		j.phase = idle
	}
	s.plan[name] = j
}

func (s *Scheduler) dispatch(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		now := time.Now()
		wake := now.Add(time.Hour)

		s.planMu.Lock()
		var due []string
		for name, j := range s.plan {
			if j.phase == paused {
				continue
			}
			if !j.next.After(now) {
				due = append(due, name)
			} else if j.next.Before(wake) {
				wake = j.next
			}
		}
		s.planMu.Unlock()

		for _, name := range due {
			s.planMu.Lock()
			j, ok := s.plan[name]
			if !ok || j.phase == paused {
				s.planMu.Unlock()
				continue
			}
			room := s.active < s.max
			if room && j.phase == idle {
				s.active++
			}
			s.planMu.Unlock()

			switch {
			case j.phase == running:
				j.missed++
				s.log.Warn("job still running", "job", name, "missed", j.missed)
			case !room:
				s.log.Debug("no room", "job", name)
				wake = now.Add(time.Second)
				continue
			default:
				j.phase = running
				go func(fn Func) {
					err := fn(ctx)
					if err != nil {
						s.log.Error("job failed", "job", name, "err", err)
					}
					s.finish(name, err)
				}(j.run)
			}
			j.next = now.Add(j.every)
			if j.next.Before(wake) {
				wake = j.next
			}

			s.planMu.Lock()
			s.plan[name] = j
			s.planMu.Unlock()
		}

		timer.Reset(time.Until(wake))
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-s.nudge:
		}
	}
}
