package broken

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
)

type docket struct {
	f    *os.File
	refs atomic.Int32
}

// Dockets closes those that nobody uses.
type Dockets struct {
	mu   sync.Mutex
	open map[string]*docket
}

func (c *Dockets) find(name string) *docket {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[name]
}

func (c *Dockets) ReadAt(name string, p []byte, off int64) (int, error) {
	h := c.find(name) // want `by the time it is counted in h.refs, \(\*Dockets\).Evict can have found the object unused and taken it out of Dockets.open, under the lock which is held here no longer than it takes to look it up`
	if h == nil {
		return 0, os.ErrNotExist
	}
	h.refs.Add(1)
	defer h.refs.Add(-1)
	return h.f.ReadAt(p, off)
}

func (c *Dockets) Evict() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, h := range c.open {
		if h.refs.Load() == 0 {
			h.f.Close()
			delete(c.open, name)
		}
	}
}

type platter struct {
	mu     sync.Mutex
	mounts int
}

// Platters are removed when they are not mounted.
type Platters struct {
	mu       sync.Mutex
	platters map[string]*platter
}

func (m *Platters) Mount(name string) error {
	m.mu.Lock()
	v, ok := m.platters[name] // want `by the time it is counted in v.mounts, \(\*Platters\).Remove can have found the object unused and taken it out of Platters.platters`
	m.mu.Unlock()
	if !ok {
		return errors.New("no platter")
	}
	v.mount()
	return nil
}

func (v *platter) mount() {
	v.mu.Lock()
	v.mounts++
	v.mu.Unlock()
}

func (m *Platters) Unmount(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := m.platters[name]
	v.mu.Lock()
	v.mounts--
	v.mu.Unlock()
}

func (m *Platters) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.platters[name]
	if !ok {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.mounts > 0 {
		return errors.New("in use")
	}
	delete(m.platters, name)
	return nil
}

type motor struct {
	inflight sync.WaitGroup
	exec     func(string) (string, error)
	teardown func()
}

// Motors are torn down when their calls are over.
type Motors struct {
	mu     sync.RWMutex
	motors map[string]*motor
}

func (h *Motors) Run(name, q string) (string, error) {
	h.mu.RLock()
	e, ok := h.motors[name] // want `between this look at h.motors and the Add, another goroutine can end it and wait for e.inflight, which has not counted this one`
	h.mu.RUnlock()
	if !ok {
		return "", errors.New("unknown motor")
	}
	e.inflight.Add(1)
	defer e.inflight.Done()
	return e.exec(q)
}

func (h *Motors) Unload(name string) {
	h.mu.Lock()
	e, ok := h.motors[name]
	delete(h.motors, name)
	h.mu.Unlock()
	if !ok {
		return
	}
	e.inflight.Wait()
	e.teardown()
}
