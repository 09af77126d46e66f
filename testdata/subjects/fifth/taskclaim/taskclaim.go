// Package taskclaim runs due tasks on a few polling workers.
package taskclaim

import (
	"context"
	"log"
	"sort"
	"sync"
	"time"
)

type phase int

const (
	waiting phase = iota
	running
	finished
	broken
)

type Func func(ctx context.Context) error

type task struct {
	fn       Func
	due      time.Time
	phase    phase
	attempts int
}

type Config struct {
	Workers    int
	Poll       time.Duration
	MaxRetries int
}

type Scheduler struct {
	sync.RWMutex
	tasks map[string]*task

	cfg  Config
	stop context.CancelFunc
	wg   sync.WaitGroup
}

func New(parent context.Context, cfg Config) *Scheduler {
	ctx, cancel := context.WithCancel(parent)
	s := &Scheduler{tasks: make(map[string]*task), cfg: cfg, stop: cancel}
	for n := range cfg.Workers {
		s.wg.Add(1)
		go s.worker(ctx, n)
	}
	return s
}

func (s *Scheduler) Close() {
	s.stop()
	s.wg.Wait()
}

// Submit plans fn for the given time. It replaces nothing: a known id is refused.
func (s *Scheduler) Submit(id string, at time.Time, fn Func) bool {
	s.Lock()
	defer s.Unlock()
	if _, dup := s.tasks[id]; dup {
		return false
	}
	s.tasks[id] = &task{fn: fn, due: at}
	return true
}

func (s *Scheduler) due(now time.Time) []string {
	s.RLock()
	defer s.RUnlock()
	var ids []string
	for id, t := range s.tasks {
		if t.phase == waiting && !t.due.After(now) {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	return ids
}

func (s *Scheduler) begin(id string) (Func, bool) {
	s.Lock()
	defer s.Unlock()
	t, ok := s.tasks[id]
	if !ok {
		return nil, false
	}
	t.phase = running
	t.attempts++
	return t.fn, true
}

func (s *Scheduler) settle(id string, err error) {
	s.Lock()
	defer s.Unlock()
	t, ok := s.tasks[id]
	switch {
	case !ok:
	case err == nil:
		t.phase = finished
	case t.attempts > s.cfg.MaxRetries:
		t.phase = broken
	default:
		t.phase = waiting
		t.due = time.Now().Add(time.Duration(t.attempts) * time.Second)
	}
}

func (s *Scheduler) worker(ctx context.Context, n int) {
	defer s.wg.Done()
	tick := time.NewTicker(s.cfg.Poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			for _, id := range s.due(now) {
				if ctx.Err() != nil {
					return
				}
				fn, ok := s.begin(id)
				if !ok {
					continue
				}
				err := fn(ctx)
				if err != nil {
					log.Printf("worker %d: task %s: %v", n, id, err)
				}
				s.settle(id, err)
			}
		}
	}
}
