package gracefulconns

import (
	"errors"
	"log"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

var ErrClosing = errors.New("gracefulconns: server is closing")

type info struct {
	id      uint64
	started time.Time
	onClose func()
}

// Tracker knows the open connections, so that a shutdown can end them.
type Tracker struct {
	closing atomic.Bool
	ids     atomic.Uint64

	mu    sync.Mutex
	conns map[net.Conn]info
}

func NewTracker() *Tracker { return &Tracker{conns: make(map[net.Conn]info)} }

// Track registers a connection; the caller must call the returned function at its end.
func (t *Tracker) Track(c net.Conn, onClose func()) (func(), error) {
	if t.closing.Load() {
		return nil, ErrClosing
	}
	in := info{id: t.ids.Add(1), started: time.Now(), onClose: onClose}
	t.mu.Lock()
	t.conns[c] = in
	t.mu.Unlock()
	return func() { t.untrack(c) }, nil
}

func (t *Tracker) untrack(c net.Conn) {
	t.mu.Lock()
	in, ok := t.conns[c]
	delete(t.conns, c)
	t.mu.Unlock()
	if ok && in.onClose != nil {
		in.onClose()
	}
}

// Shutdown refuses new connections and closes those that are open.
func (t *Tracker) Shutdown() {
	if t.closing.Swap(true) {
		return
	}
	t.mu.Lock()
	victims := t.conns
	t.conns = make(map[net.Conn]info)
	t.mu.Unlock()

	for c, in := range victims {
		if err := c.Close(); err != nil {
			log.Printf("close connection %d after %s: %v", in.id, time.Since(in.started), err)
		}
		if in.onClose != nil {
			in.onClose()
		}
	}
}

// Handle runs fn on the connection while it is tracked.
func (t *Tracker) Handle(c net.Conn, fn func(net.Conn) error) error {
	defer c.Close()
	release, err := t.Track(c, nil)
	if err != nil {
		return err
	}
	defer release()
	return fn(c)
}

func (t *Tracker) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.conns)
}
