package cfgreload

import (
	"encoding/json"
	"os"
	"sync"
	"sync/atomic"
)

type Document struct {
	Listen string            `json:"listen"`
	Tags   map[string]string `json:"tags"`
}

type Manager struct {
	path string

	writer   sync.Mutex
	revision atomic.Uint64
	doc      atomic.Value // *Document
}

func NewManager(path string) (*Manager, error) {
	m := &Manager{path: path}
	m.doc.Store(&Document{})
	return m, m.Reload()
}

func (m *Manager) Reload() error {
	m.writer.Lock()
	defer m.writer.Unlock()
	raw, err := os.ReadFile(m.path)
	if err != nil {
		return err
	}
	d := new(Document)
	if err := json.Unmarshal(raw, d); err != nil {
		return err
	}
	m.revision.Add(1)
	m.doc.Store(d)
	return nil
}

type Subscriber struct {
	m    *Manager
	rev  uint64
	last *Document
}

func (m *Manager) Subscribe() *Subscriber { return &Subscriber{m: m} }

// Poll returns the document when its revision has changed.
func (s *Subscriber) Poll() (*Document, bool) {
	rev := s.m.revision.Load()
	if rev == s.rev {
		return s.last, false
	}
	s.rev = rev
	s.last = s.m.doc.Load().(*Document)
	return s.last, true
}
