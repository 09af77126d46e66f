package consulmirror

import (
	"encoding/json"
	"maps"
	"net/http"
	"sync"
)

type Mirror struct {
	mu       sync.RWMutex
	services map[string]string
	index    uint64
}

func New() *Mirror { return &Mirror{services: make(map[string]string)} }

func (m *Mirror) Update(index uint64, changed map[string]string, gone []string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if index <= m.index {
		return false
	}
	m.index = index
	maps.Copy(m.services, changed)
	for _, name := range gone {
		delete(m.services, name)
	}
	return true
}

func (m *Mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.RLock()
	services := maps.Clone(m.services)
	index := m.index
	m.mu.RUnlock()

	if want := r.URL.Query().Get("name"); want != "" {
		for name := range services {
			if name != want {
				delete(services, name)
			}
		}
	}
	err := json.NewEncoder(w).Encode(map[string]any{
		"index":    index,
		"services": services,
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
