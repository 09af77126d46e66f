package broken

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var errInflow = errors.New("over")

// A Inflow is opened again and again until it is closed.
type Inflow struct {
	closed atomic.Bool
	mu     sync.Mutex
	source io.ReadCloser
	cancel func()
	over   bool
	done   chan struct{}
	once   sync.Once
	sink   io.WriteCloser
	cause  error
	halt   func()
}

func (f *Inflow) Open(open func() (io.ReadCloser, error)) error {
	if f.closed.Load() { // want `f.closed can be set by \(\*Inflow\).Close after it was tested here and before f.source is stored, which \(\*Inflow\).Close has looked at by then: what is stored is never ended`
		return errInflow
	}
	source, err := open()
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.source = source
	f.mu.Unlock()
	return nil
}

func (f *Inflow) Close() error {
	f.closed.Store(true)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.source == nil {
		return nil
	}
	return f.source.Close()
}

func (f *Inflow) Begin(start func() (cancel func())) error {
	f.mu.Lock()
	over := f.over // want `f.over can be set by \(\*Inflow\).Stop after it was tested here and before f.cancel is stored, which \(\*Inflow\).Stop has looked at by then: what is stored is never ended`
	f.mu.Unlock()
	if over {
		return errInflow
	}
	cancel := start()
	f.mu.Lock()
	f.cancel = cancel
	f.mu.Unlock()
	return nil
}

func (f *Inflow) Stop() {
	f.mu.Lock()
	f.over = true
	cancel := f.cancel
	f.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (f *Inflow) Drain(connect func() io.WriteCloser) {
	go func() {
		for f.drain(connect) == nil {
		}
	}()
}

func (f *Inflow) drain(connect func() io.WriteCloser) error {
	select {
	case <-f.done: // want `f.done can be closed by \(\*Inflow\).Shutdown after it was tested here and before f.sink is stored, which \(\*Inflow\).Shutdown has looked at by then: what is stored is never ended`
		return errInflow
	default:
	}
	sink := connect()
	f.mu.Lock()
	f.sink = sink
	f.mu.Unlock()
	return nil
}

func (f *Inflow) Shutdown() {
	f.once.Do(func() { close(f.done) })
	f.dropSink()
}

func (f *Inflow) dropSink() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sink != nil {
		f.sink.Close()
	}
}

func (f *Inflow) Serve(serve func(halt <-chan struct{})) error {
	f.mu.Lock()
	cause := f.cause // want `f.cause can be set by \(\*Inflow\).Terminate after it was tested here and before f.halt is stored, which \(\*Inflow\).Terminate has looked at by then: what is stored is never ended`
	f.mu.Unlock()
	if cause != nil {
		return cause
	}
	halt := make(chan struct{})
	f.mu.Lock()
	f.halt = func() { close(halt) }
	f.mu.Unlock()
	serve(halt)
	return nil
}

func (f *Inflow) Terminate(cause error) {
	f.mu.Lock()
	f.cause = cause
	halt := f.halt
	f.mu.Unlock()
	if halt != nil {
		halt()
	}
}
