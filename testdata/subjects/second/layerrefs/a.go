package layerrefs

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type Mounter interface {
	Mount(digest string) (string, error)
	Unmount(path string) error
}

type Layer struct {
	digest string
	path   string
	refs   atomic.Int32
	owner  *Store
}

type Store struct {
	mounter Mounter

	mu     sync.Mutex
	layers map[string]*Layer
}

func NewStore(m Mounter) *Store {
	return &Store{mounter: m, layers: make(map[string]*Layer)}
}

func (s *Store) Acquire(digest string) (*Layer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.layers[digest]; ok {
		l.refs.Add(1)
		return l, nil
	}
	path, err := s.mounter.Mount(digest)
	if err != nil {
		return nil, fmt.Errorf("mount %s: %w", digest, err)
	}
	l := &Layer{digest: digest, path: path, owner: s}
	l.refs.Store(1)
	s.layers[digest] = l
	return l, nil
}

func (l *Layer) Path() string { return l.path }

func (l *Layer) Release() error {
	if l.refs.Add(-1) > 0 {
		return nil
	}
	l.owner.mu.Lock()
	defer l.owner.mu.Unlock()
	delete(l.owner.layers, l.digest)
	return l.owner.mounter.Unmount(l.path)
}
