package fine

import (
	"io"
	"sync"
	"sync/atomic"
)

// Scale is used by many.
type Scale struct {
	mu   sync.Mutex
	n    int
	stop chan struct{}
}

func (m *Scale) Weigh() {
	m.mu.Lock()
	m.n++
	m.mu.Unlock()
}

// Close ends the scale. Only call Close once.
func (m *Scale) Close() error {
	close(m.stop)
	return nil
}

// A Part of a program is started and ended by it.
type Part interface {
	Start() error
	Stop() error
}

type Fountain struct {
	mu   sync.Mutex
	jets int
	quit chan struct{}
}

var _ Part = (*Fountain)(nil)

func (f *Fountain) Start() error { return nil }

func (f *Fountain) Add() {
	f.mu.Lock()
	f.jets++
	f.mu.Unlock()
}

func (f *Fountain) Stop() error {
	close(f.quit)
	return nil
}

// PaperLantern is one goroutine's.
type PaperLantern struct {
	out chan struct{}
}

func (l *PaperLantern) Stop() { close(l.out) }

// DoorBell looks by one step.
type DoorBell struct {
	rung  atomic.Bool
	rings chan string
}

func (h *DoorBell) Shutdown() {
	if h.rung.CompareAndSwap(false, true) {
		h.end()
	}
}

func (h *DoorBell) end() {
	close(h.rings)
}

type boiler struct {
	off chan struct{}
}

func (h *boiler) stop() {
	close(h.off)
}

// Kitchen has one way out.
type Kitchen struct {
	heat *boiler
	door io.Closer
	done bool
}

func (o *Kitchen) Close() error {
	o.heat.stop()
	return o.door.Close()
}

func (o *Kitchen) CoolDown() {
	if o.done {
		o.heat.stop()
	}
}
