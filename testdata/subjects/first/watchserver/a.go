package watchserver

import (
	"maps"
	"sync"
)

type Change struct {
	Key   string
	Value []byte
}

type Watcher struct {
	Initial map[string][]byte
	Events  chan Change
}

type Server struct {
	mu       sync.Mutex
	data     map[string][]byte
	watchers map[*Watcher]struct{}
}

func New() *Server {
	return &Server{
		data:     make(map[string][]byte),
		watchers: make(map[*Watcher]struct{}),
	}
}

func (s *Server) snapshot() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.data)
}

func (s *Server) register(w *Watcher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers[w] = struct{}{}
}

func (s *Server) Watch(buffer int) (*Watcher, func()) {
	w := &Watcher{Events: make(chan Change, buffer)}
	w.Initial = s.snapshot()
	s.register(w)
	return w, func() {
		s.mu.Lock()
		delete(s.watchers, w)
		s.mu.Unlock()
	}
}

func (s *Server) Put(key string, value []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data[key] = value
	for w := range s.watchers {
		select {
		case w.Events <- Change{key, value}:
		default:
		}
	}
}
