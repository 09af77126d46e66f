package devhandles

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

type Handle struct {
	path string
	file *os.File
	refs atomic.Int32
}

type Manager struct {
	mu   sync.Mutex
	open map[string]*Handle
}

func NewManager() *Manager { return &Manager{open: make(map[string]*Handle)} }

func (m *Manager) Acquire(path string) (*Handle, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, ok := m.open[path]; ok {
		h.refs.Add(1)
		return h, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("device %s: %w", path, err)
	}
	h := &Handle{path: path, file: f}
	h.refs.Store(1)
	m.open[path] = h
	return h, nil
}

func (m *Manager) Release(h *Handle) error {
	if h.refs.Add(-1) > 0 {
		return nil
	}
	m.mu.Lock()
	delete(m.open, h.path)
	m.mu.Unlock()
	return h.file.Close()
}

func (m *Manager) Ioctl(path string, fn func(fd uintptr) error) error {
	h, err := m.Acquire(path)
	if err != nil {
		return err
	}
	defer m.Release(h)
	return fn(h.file.Fd())
}
