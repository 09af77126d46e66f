package broken

import (
	"errors"
	"sync"
	"time"
)

type wire interface{ Write(string) error }

// Courier keeps one wire, and takes another one when that fails.
type Courier struct {
	mu   sync.RWMutex
	wire wire
	open func() (wire, error)
}

func (c *Courier) reopen() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, err := c.open()
	if err != nil {
		return err
	}
	c.wire = w
	return nil
}

// Send has two that saw the same wire fail replace it twice.
func (c *Courier) Send(text string) error {
	for range 3 {
		c.mu.RLock()
		w := c.wire // want `two goroutines can both pass the test of c.wire and both set it`
		c.mu.RUnlock()
		if w == nil {
			return errors.New("no wire")
		}
		err := w.Write(text)
		if err == nil {
			return nil
		}
		if err := c.reopen(); err != nil {
			return err
		}
	}
	return errors.New("given up")
}

// hose is used by several.
type hose struct {
	mu   sync.Mutex
	left int
}

func (h *hose) draw() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left--
	return h.left >= 0
}

// hoseUntil is kept as it is, not by a pointer.
type hoseUntil struct {
	hose *hose
	end  time.Time
}

// Hoses gives the same hose to all who ask for a name.
type Hoses struct {
	mu    sync.Mutex
	by    map[string]hoseUntil
	build func(string) (*hose, error)
}

func (h *Hoses) Get(name string) (*hose, error) {
	h.mu.Lock()
	u, ok := h.by[name] // want `two goroutines can both pass the test of h.by\[name\] and both set it`
	h.mu.Unlock()
	if ok && u.hose.draw() {
		return u.hose, nil
	}
	made, err := h.build(name)
	if err != nil {
		return nil, err
	}
	u = hoseUntil{hose: made, end: time.Now().Add(time.Hour)}
	h.mu.Lock()
	h.by[name] = u
	h.mu.Unlock()
	return u.hose, nil
}
