package broken

import (
	"io"
	"sync"
)

// gauge reads from a device until it is closed.
type gauge struct {
	device io.ReadCloser
	gone   chan struct{}
}

// Plumbline is what callers have of a gauge.
type Plumbline interface {
	io.Closer
	Run() error
}

func NewPlumbline(device io.ReadCloser) Plumbline {
	return &gauge{device: device, gone: make(chan struct{})}
}

func (g *gauge) Close() error {
	return sync.OnceValue(func() error { // want `each call has a Once of its own here, which keeps no other call from ending g.gone a second time`
		close(g.gone)
		return g.device.Close()
	})()
}

func (g *gauge) Run() error {
	defer g.Close()
	_, err := io.Copy(io.Discard, g.device)
	return err
}

// strewer hands lines on.
type strewer struct {
	lines chan string
	out   io.WriteCloser
}

func (f *strewer) Stop() {
	var end sync.Once
	end.Do(func() { close(f.lines) }) // want `each call has a Once of its own here, which keeps no other call from ending f.lines a second time`
}

func (f *strewer) Shutdown() {
	end := sync.OnceFunc(func() {
		f.out.Close()
	})
	end() // want `each call has a Once of its own here, which keeps no other call from ending f.out a second time`
}
