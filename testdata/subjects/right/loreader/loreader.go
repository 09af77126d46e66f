// Package loreader reads frames in one goroutine and assembles them.
package loreader

import (
	"io"
	"sync"
)

type stream struct {
	id   byte
	data []byte
	ends bool
}

// Mux has one reader, which alone makes streams; others take them away.
type Mux struct {
	mu      sync.Mutex
	streams map[byte]*stream
	most    int
	r       io.Reader
	dropped int
	once    sync.Once
}

// New makes a mux.
func New(r io.Reader, most int) *Mux { return &Mux{r: r, most: most, streams: map[byte]*stream{}} }

// Start starts the reader.
func (m *Mux) Start() { m.once.Do(func() { go m.read() }) }

func (m *Mux) read() {
	head := make([]byte, 1)
	for {
		if _, err := io.ReadFull(m.r, head); err != nil {
			return
		}
		if !m.accept(head[0]) {
			m.dropped++
		}
	}
}

// accept is called by the reader.
func (m *Mux) accept(id byte) bool {
	m.mu.Lock()
	if s, ok := m.streams[id]; ok && !s.ends {
		s.data = append(s.data, id)
		m.mu.Unlock()
		return true
	}
	m.mu.Unlock()
	s := &stream{id: id, data: make([]byte, 0, 512)}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.streams) >= m.most {
		return false
	}
	m.streams[id] = s
	return true
}

// Take takes a stream away.
func (m *Mux) Take(id byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.streams[id]
	if s == nil {
		return nil
	}
	delete(m.streams, id)
	return s.data
}
