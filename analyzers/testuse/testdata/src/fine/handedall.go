package fine

import (
	"encoding/json"
	"io"
	"maps"
	"sync"
)

// Gauges hand out copies, or hold the lock.
type Gauges struct {
	mu     sync.Mutex
	counts map[string]int64
	limits map[string]int64
}

func (m *Gauges) Count(name string) {
	m.mu.Lock()
	m.counts[name]++
	m.mu.Unlock()
}

func (m *Gauges) all() map[string]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.counts)
}

func (m *Gauges) WriteTo(w io.Writer) error {
	return json.NewEncoder(w).Encode(m.all())
}

func (m *Gauges) WriteLocked(w io.Writer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.counts
	return json.NewEncoder(w).Encode(c)
}

// Limits are replaced, and not changed in place.
func (m *Gauges) limitsNow() map[string]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.limits
}

func (m *Gauges) Limit(limits map[string]int64) {
	m.mu.Lock()
	m.limits = limits
	m.mu.Unlock()
}

func (m *Gauges) WriteLimits(w io.Writer) error {
	return json.NewEncoder(w).Encode(m.limitsNow())
}

// Take leaves a new one behind.
func (m *Gauges) Take(w io.Writer) error {
	m.mu.Lock()
	c := m.counts
	m.counts = map[string]int64{}
	m.mu.Unlock()
	return json.NewEncoder(w).Encode(c)
}

type lane struct {
	prefix string
	weight int
}

// Lanes are copied before one is set.
type Lanes struct {
	mu    sync.RWMutex
	lanes []lane
	ends  []*lane
}

func (r *Lanes) All() []lane {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.lanes
}

func (r *Lanes) Ends() []*lane {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.ends
}

func (r *Lanes) Weigh(prefix string, w int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lanes := append([]lane(nil), r.lanes...)
	for i := range lanes {
		if lanes[i].prefix == prefix {
			lanes[i].weight = w
		}
	}
	r.lanes = lanes
}

func (r *Lanes) Renew() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lanes = make([]lane, len(r.lanes))
	for i := range r.lanes {
		r.lanes[i].weight = 1
	}
}

type packet struct{ rows [][]byte }

// Heap leaves the array to the packet.
type Heap struct {
	mu   sync.Mutex
	rows [][]byte
	out  chan packet
}

func (s *Heap) Push(row []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = append(s.rows, row)
}

func (s *Heap) Flush() {
	s.mu.Lock()
	p := packet{rows: s.rows}
	s.rows = nil
	s.mu.Unlock()
	s.out <- p
}
