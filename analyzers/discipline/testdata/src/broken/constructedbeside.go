package broken

import "sync"

// tenant has keys.
type tenant struct {
	keys map[int]bool
}

// House knows its tenants.
type House struct {
	mu      sync.RWMutex
	tenants map[string]*tenant
}

func (h *House) tenantOf(name string) *tenant {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.tenants[name]
}

func (h *House) Return(name string, key int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t, ok := h.tenants[name]; ok {
		delete(t.keys, key)
	}
}

// A stay is under way.
type stay struct {
	of  *tenant
	key int
}

// newStay makes a stay; the house is there already.
func newStay(h *House, name string, key int) *stay {
	t := h.tenantOf(name)
	t.keys[key] = true // want `t.keys\[key\] is written here after h.mu was released`
	return &stay{t, key}
}

// Stay gives one more key away.
func (h *House) Stay(name string, key int) int {
	return newStay(h, name, key).key
}
