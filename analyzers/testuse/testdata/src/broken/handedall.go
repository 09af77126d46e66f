package broken

import (
	"encoding/json"
	"io"
	"maps"
	"sync"
)

// Meters hand their map to those who read all of it.
type Meters struct {
	mu     sync.Mutex
	counts map[string]int64
}

func (m *Meters) Count(name string) {
	m.mu.Lock()
	m.counts[name]++
	m.mu.Unlock()
}

func (m *Meters) all() map[string]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts
}

func (m *Meters) WriteTo(w io.Writer) error {
	return json.NewEncoder(w).Encode(m.all()) // want `m.all\(\) is the map Meters.counts itself, not a copy; it is used after m.mu was released, while others change it`
}

func (m *Meters) Copy() map[string]int64 {
	m.mu.Lock()
	c := m.counts // want `c is the map m.counts itself, not a copy; it is used after m.mu was released`
	m.mu.Unlock()
	return maps.Clone(c)
}

type road struct {
	prefix string
	weight int
}

// Roads returns a slice whose elements are set.
type Roads struct {
	mu    sync.RWMutex
	roads []road
}

func (r *Roads) All() []road {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.roads // want `r.roads is returned itself, and no copy: whoever gets it reads it without r.mu, while \(\*Roads\).Weigh sets elements of it \(r.roads\[i\].weight\)`
}

func (r *Roads) Weigh(prefix string, w int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.roads {
		if r.roads[i].prefix == prefix {
			r.roads[i].weight = w
		}
	}
}

type palletload struct{ rows [][]byte }

// Stack puts its rows into a palletload, and keeps the array.
type Stack struct {
	mu   sync.Mutex
	rows [][]byte
	out  chan palletload
}

func (s *Stack) Push(row []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = append(s.rows, row)
}

func (s *Stack) Flush() {
	s.mu.Lock()
	p := palletload{rows: s.rows} // want `p is used after s.mu was released, while the array is kept by s.rows\[:0\]: \(\*Stack\).Push fills it again meanwhile`
	s.rows = s.rows[:0]
	s.mu.Unlock()
	s.out <- p
}
