package fine

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
)

// A Telegraph keeps its line until there is another one.
type Telegraph struct {
	mu     sync.RWMutex
	up     atomic.Bool
	line   net.Conn
	spare  net.Conn
	spoilt chan struct{}
}

func NewTelegraph() *Telegraph {
	t := &Telegraph{spoilt: make(chan struct{})}
	go t.watch()
	return t
}

func (t *Telegraph) watch() {
	for range t.spoilt {
		_ = t.relay()
		_ = t.respare()
	}
}

func (t *Telegraph) relay() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.up.Store(false)
	line, err := net.Dial("tcp", "hill:1")
	if err != nil {
		return err
	}
	t.line = line
	t.up.Store(true)
	return nil
}

// respare puts the line in the place of the spare one.
func (t *Telegraph) respare() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.up.Store(false)
	var err error
	if t.spare, err = net.Dial("tcp", "hill:2"); err != nil {
		t.spare = t.line
		return err
	}
	return nil
}

func (t *Telegraph) Tap(p []byte) (int, error) {
	if !t.up.Load() {
		return 0, errors.New("down")
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.line.Write(p)
}

func (t *Telegraph) Spare(p []byte) (int, error) {
	if !t.up.Load() {
		return 0, errors.New("down")
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.spare.Write(p)
}

// A Telex looks once more.
type Telex struct {
	mu   sync.Mutex
	up   atomic.Bool
	line net.Conn
}

func (t *Telex) Start() { go t.relay() }

func (t *Telex) relay() (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.up.Store(false)
	if t.line, err = net.Dial("tcp", "hill:1"); err != nil {
		return err
	}
	t.up.Store(true)
	return nil
}

func (t *Telex) Type(p []byte) (int, error) {
	if !t.up.Load() {
		return 0, errors.New("down")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.up.Load() {
		return 0, errors.New("down")
	}
	return t.line.Write(p)
}

// Ring does not need the line.
func (t *Telex) Ring(p []byte) (int, error) {
	if !t.up.Load() {
		return 0, errors.New("down")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.line == nil {
		return 0, nil
	}
	return t.line.Write(p)
}
