package logshipper

import (
	"context"
	"sync"
	"time"
)

type Line struct {
	At   time.Time
	Text string
}

type Backend interface {
	Push(ctx context.Context, lines []Line) error
}

type Shipper struct {
	be  Backend
	max int

	mu    sync.Mutex
	buf   []Line
	kickc chan struct{}
}

func New(ctx context.Context, be Backend, max int) *Shipper {
	s := &Shipper{be: be, max: max, kickc: make(chan struct{}, 1)}
	go s.loop(ctx)
	return s
}

func (s *Shipper) Log(text string) {
	s.mu.Lock()
	s.buf = append(s.buf, Line{time.Now(), text})
	full := len(s.buf) >= s.max
	s.mu.Unlock()
	if full {
		select {
		case s.kickc <- struct{}{}:
		default:
		}
	}
}

func (s *Shipper) loop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.kickc:
		case <-time.After(time.Second):
		}
		s.flush(ctx)
	}
}

func (s *Shipper) flush(ctx context.Context) {
	s.mu.Lock()
	out := s.buf
	s.buf = nil
	s.mu.Unlock()
	if len(out) == 0 {
		return
	}
	if err := s.be.Push(ctx, out); err != nil {
		s.mu.Lock()
		s.buf = append(out, s.buf...)
		s.mu.Unlock()
	}
}
