package spanexport

import (
	"context"
	"sync"
	"time"
)

type Span struct {
	Name       string
	Start, End time.Time
}

type Exporter interface {
	Export(context.Context, []Span) error
}

type Processor struct {
	exp  Exporter
	quit chan struct{}

	mu     sync.Mutex
	closed bool
	batch  []Span
}

func NewProcessor(exp Exporter, every time.Duration) *Processor {
	p := &Processor{exp: exp, quit: make(chan struct{})}
	go func() {
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				p.ForceFlush(context.Background())
			case <-p.quit:
				return
			}
		}
	}()
	return p
}

func (p *Processor) OnEnd(s Span) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.batch = append(p.batch, s)
	}
}

func (p *Processor) ForceFlush(ctx context.Context) error {
	p.mu.Lock()
	out := p.batch
	p.batch = nil
	p.mu.Unlock()
	if len(out) == 0 {
		return nil
	}
	return p.exp.Export(ctx, out)
}

func (p *Processor) Shutdown(ctx context.Context) error {
	p.mu.Lock()
	done := p.closed
	p.mu.Unlock()
	if done {
		return nil
	}
	err := p.ForceFlush(ctx)

	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	close(p.quit)
	return err
}
