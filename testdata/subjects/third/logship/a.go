package logship

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

type Level int

const (
	Debug Level = iota
	Info
	Error
)

type Shipper struct {
	lines   chan string
	dropped atomic.Uint64
	min     Level
}

func New(ctx context.Context, w io.Writer, depth int, min Level) *Shipper {
	s := &Shipper{lines: make(chan string, depth), min: min}
	go s.pump(ctx, w)
	return s
}

func (s *Shipper) Log(l Level, format string, args ...any) bool {
	if l < s.min {
		return false
	}
	if l == Debug && len(s.lines) > cap(s.lines)/2 {
		s.dropped.Add(1)
		return false
	}
	line := time.Now().Format(time.RFC3339) + " " + fmt.Sprintf(format, args...)
	select {
	case s.lines <- line:
		return true
	default:
		s.dropped.Add(1)
		return false
	}
}

func (s *Shipper) pump(ctx context.Context, w io.Writer) {
	for {
		select {
		case <-ctx.Done():
			return
		case l := <-s.lines:
			if _, err := fmt.Fprintln(w, l); err != nil {
				s.dropped.Add(1)
			}
		}
	}
}

func (s *Shipper) Dropped() uint64 { return s.dropped.Load() }
