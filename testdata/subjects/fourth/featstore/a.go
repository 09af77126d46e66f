package featstore

import (
	"errors"
	"sync"
)

type Row map[string]float64

type View struct {
	name    string
	mu      sync.RWMutex
	rows    map[string]Row
	version int64
}

var ErrMissing = errors.New("featstore: entity not found")

func NewView(name string) *View {
	return &View{name: name, rows: map[string]Row{}}
}

// Publish installs a fully built batch.
func (v *View) Publish(rows map[string]Row) int64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rows = rows
	v.version++
	return v.version
}

func (v *View) Lookup(entity string) (Row, int64, error) {
	v.mu.RLock()
	row, ok := v.rows[entity]
	v.mu.RUnlock()
	if !ok {
		return nil, 0, ErrMissing
	}
	return row, v.version, nil
}

type Server struct {
	views map[string]*View
}

func NewServer(names ...string) *Server {
	s := &Server{views: make(map[string]*View, len(names))}
	for _, n := range names {
		s.views[n] = NewView(n)
	}
	return s
}

func (s *Server) Get(view, entity string) (Row, int64, error) {
	v := s.views[view]
	if v == nil {
		return nil, 0, ErrMissing
	}
	return v.Lookup(entity)
}

func (s *Server) Ingest(view string, batches <-chan map[string]Row) {
	go func() {
		for b := range batches {
			s.views[view].Publish(b)
		}
	}()
}
