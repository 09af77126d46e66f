package spanbuf

import (
	"context"
	"sync"
	"time"
)

type Span struct {
	TraceID string
	Name    string
	Start   time.Time
	End     time.Time
}

type Exporter interface {
	Export(ctx context.Context, spans []Span) error
}

type Agent struct {
	exp     Exporter
	every   time.Duration
	mu      sync.Mutex
	pending []Span
	lastErr error
}

func New(exp Exporter, every time.Duration) *Agent {
	return &Agent{exp: exp, every: every}
}

func (a *Agent) Run(ctx context.Context) {
	tick := time.NewTicker(a.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			a.Flush(ctx)
		}
	}
}

func (a *Agent) Flush(ctx context.Context) {
	a.mu.Lock()
	out := a.pending
	a.pending = nil
	a.mu.Unlock()
	if len(out) == 0 {
		return
	}
	err := a.exp.Export(ctx, out)
	a.mu.Lock()
	a.lastErr = err
	a.mu.Unlock()
}

func (a *Agent) Record(s Span) {
	if s.End.IsZero() {
		s.End = time.Now()
	}
	a.pending = append(a.pending, s)
}

func (a *Agent) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lastErr
}
