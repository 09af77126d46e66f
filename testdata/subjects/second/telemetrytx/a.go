package telemetrytx

import (
	"errors"
	"sync"
)

var (
	ErrClosed = errors.New("telemetry: emitter closed")
	ErrFull   = errors.New("telemetry: buffer full")
)

type Sample struct {
	Key string
	Val float64
}

type Emitter struct {
	mu     sync.RWMutex
	closed bool
	ch     chan Sample
	wg     sync.WaitGroup
}

func NewEmitter(n int, export func(Sample)) *Emitter {
	e := &Emitter{ch: make(chan Sample, n)}
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		for s := range e.ch {
			export(s)
		}
	}()
	return e
}

func (e *Emitter) Emit(s Sample) error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return ErrClosed
	}
	select {
	case e.ch <- s:
		return nil
	default:
		return ErrFull
	}
}

func (e *Emitter) Close() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return ErrClosed
	}
	e.closed = true
	close(e.ch)
	e.mu.Unlock()
	e.wg.Wait()
	return nil
}
