package tracerglobal

import (
	"sync/atomic"
	"time"
)

type Tracer struct {
	service string
	spans   chan string
}

var global atomic.Value

func newTracer(service string) *Tracer {
	t := &Tracer{service: service, spans: make(chan string, 256)}
	go t.report(5 * time.Second)
	return t
}

func (t *Tracer) report(every time.Duration) {
	var batch []string
	tick := time.NewTicker(every)
	for {
		select {
		case s := <-t.spans:
			batch = append(batch, s)
		case <-tick.C:
			if len(batch) > 0 {
				upload(t.service, batch)
				batch = batch[:0]
			}
		}
	}
}

func upload(service string, spans []string) {
	for range spans {
		_ = service
	}
}

// Default returns the process wide tracer.
func Default() *Tracer {
	if t, ok := global.Load().(*Tracer); ok {
		return t
	}
	t := newTracer("default")
	global.Store(t)
	return t
}

func Span(name string) func() {
	start := time.Now()
	return func() {
		Default().spans <- name + " " + time.Since(start).String()
	}
}
