package tracerlazy

import (
	"sync"
	"sync/atomic"
	"time"
)

type Span struct {
	Op       string
	Start    time.Time
	Duration time.Duration
}

type spanBuffer struct {
	mu    sync.Mutex
	spans []Span
}

func (b *spanBuffer) add(s Span) {
	b.mu.Lock()
	b.spans = append(b.spans, s)
	b.mu.Unlock()
}

func (b *spanBuffer) take() []Span {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.spans
	b.spans = nil
	return out
}

type Tracer struct {
	service string
	buf     atomic.Pointer[spanBuffer]
}

func NewTracer(service string) *Tracer { return &Tracer{service: service} }

func (t *Tracer) buffer() *spanBuffer {
	b := t.buf.Load()
	if b == nil {
		b = &spanBuffer{spans: make([]Span, 0, 64)}
		t.buf.Store(b)
	}
	return b
}

func (t *Tracer) Record(op string, start time.Time) {
	t.buffer().add(Span{Op: t.service + "." + op, Start: start, Duration: time.Since(start)})
}

func (t *Tracer) Flush(export func([]Span) error) error {
	spans := t.buffer().take()
	if len(spans) == 0 {
		return nil
	}
	return export(spans)
}
