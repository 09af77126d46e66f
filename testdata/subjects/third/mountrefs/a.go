package mountrefs

import (
	"fmt"
	"sync"
)

type Driver interface {
	Mount(volume string) (path string, err error)
	Unmount(path string) error
}

type mount struct {
	path string
	refs int
}

type Mounts struct {
	drv Driver

	mu     sync.Mutex
	active map[string]*mount
}

func NewMounts(d Driver) *Mounts {
	return &Mounts{drv: d, active: make(map[string]*mount)}
}

func (m *Mounts) Get(volume string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if mt, ok := m.active[volume]; ok {
		mt.refs++
		return mt.path, nil
	}
	path, err := m.drv.Mount(volume)
	if err != nil {
		return "", fmt.Errorf("mount %s: %w", volume, err)
	}
	m.active[volume] = &mount{path: path, refs: 1}
	return path, nil
}

func (m *Mounts) Put(volume string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	mt, ok := m.active[volume]
	if !ok {
		return fmt.Errorf("volume %s is not mounted", volume)
	}
	mt.refs--
	if mt.refs > 0 {
		return nil
	}
	delete(m.active, volume)
	return m.drv.Unmount(mt.path)
}

func (m *Mounts) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.active)
}
