package fine

import (
	"bufio"
	"bytes"
	"container/list"
	"slices"
	"sync"
)

// Shelf only looks at what has no lock of its own while others may look, too.
type Shelf struct {
	mu    sync.RWMutex
	out   sync.Mutex
	order *list.List
	log   bytes.Buffer
	w     *bufio.Writer
	names []string
}

func (s *Shelf) First() any {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if e := s.order.Front(); e != nil {
		return e.Value
	}
	return nil
}

func (s *Shelf) Add(v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.order.PushBack(v)
	s.log.WriteString("+")
	s.names = append(s.names, "x")
}

func (s *Shelf) Log() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.log.String()
}

// Sorted sorts a copy.
func (s *Shelf) Sorted() []string {
	s.mu.RLock()
	names := slices.Clone(s.names)
	s.mu.RUnlock()
	slices.Sort(names)
	return names
}

// Write has another lock for the writer.
func (s *Shelf) Write(p []byte) (int, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.out.Lock()
	defer s.out.Unlock()
	return s.w.Write(p)
}

func (s *Shelf) Swap(w *bufio.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.w.Flush()
	s.w = w
}

// Line is written to by one goroutine, until another one closes it.
type Line struct {
	mu sync.RWMutex
	w  *bufio.Writer
}

func (l *Line) Write(p []byte) (int, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.w.Write(p)
}

func (l *Line) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Flush()
}
