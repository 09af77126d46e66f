package broken

import (
	"errors"
	"sync"
)

// Marina gives a yacht a berth unless there is one on it.
type Marina struct {
	sync.RWMutex
	ships map[string]*yacht
	open  func() bool
}

type yacht struct {
	name  string
	berth int
}

func (h *Marina) Dock(name string, berth int) error {
	if !h.open() {
		return errors.New("closed")
	}
	if h.taken(berth) { // want `two goroutines can both find none in h\.ships \(in h\.taken\) and both put one there: h\.RWMutex is released in between`
		return errors.New("taken")
	}
	h.add(&yacht{name: name, berth: berth})
	return nil
}

func (h *Marina) Moor(name string, berth int) bool {
	if !h.taken(berth) { // want `two goroutines can both find none in h\.ships`
		h.Lock()
		h.ships[name] = &yacht{name, berth}
		h.Unlock()
		return true
	}
	return false
}

func (h *Marina) taken(berth int) bool {
	h.RLock()
	defer h.RUnlock()
	for _, s := range h.ships {
		if s.place() == berth {
			return true
		}
	}
	return false
}

func (h *Marina) add(s *yacht) {
	h.Lock()
	defer h.Unlock()
	h.ships[s.name] = s
}

func (h *Marina) Leave(name string) {
	h.Lock()
	defer h.Unlock()
	delete(h.ships, name)
}

func (y *yacht) place() int {
	if y.berth < 0 {
		return 0
	}
	return y.berth
}
