package broken

import (
	"errors"
	"sync"
	"sync/atomic"
)

type link struct{ on bool }

func (l *link) Close() error { return nil }

var errOver = errors.New("over")

// Exchange closes all links in the end.
type Exchange struct {
	mu     sync.Mutex
	over   atomic.Bool
	closed bool
	links  map[string]*link
	lines  []*link
}

func (h *Exchange) Close() {
	if !h.over.CompareAndSwap(false, true) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for _, l := range h.links {
		l.Close()
	}
	for _, l := range h.all() {
		l.Close()
	}
}

func (h *Exchange) all() []*link { return append([]*link(nil), h.lines...) }

// Link can come too late.
func (h *Exchange) Link(name string) error {
	if h.over.Load() { // want `h.over can be set by \(\*Exchange\).Close after it was tested here and before h.links is added to, which \(\*Exchange\).Close has walked through by then: what is added is never ended`
		return errOver
	}
	l := &link{on: true}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.links[name] = l
	return nil
}

// Dial looks under the lock, and releases it to dial.
func (h *Exchange) Dial(name string, dial func() *link) error {
	h.mu.Lock()
	if h.closed { // want `h.closed can be set by \(\*Exchange\).Close after it was tested here and before h.links is added to`
		h.mu.Unlock()
		return errOver
	}
	h.mu.Unlock()
	l := dial()
	h.mu.Lock()
	h.links[name] = l
	h.mu.Unlock()
	return nil
}

// Depot tells by a channel that it is closed.
type Depot struct {
	mu    sync.Mutex
	done  chan struct{}
	once  sync.Once
	links map[int]*link
}

func (d *Depot) Stop() {
	d.once.Do(func() { close(d.done) })
	d.mu.Lock()
	defer d.mu.Unlock()
	d.links = nil
}

// Close is called once.
func (d *Depot) Close() error {
	close(d.done)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range d.links {
		if err := l.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (d *Depot) Add(id int, l *link) error {
	select {
	case <-d.done: // want `d.done can be closed by \(\*Depot\).Close after it was tested here and before d.links is added to`
		return errOver
	default:
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.links[id] = l
	return nil
}

func (d *Depot) AddLocked(id int, l *link) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case <-d.done:
		return errOver
	default:
	}
	d.links[id] = l
	return nil
}
