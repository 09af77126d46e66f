package fine

import "sync"

// A tool is lent out and comes back.
type tool struct {
	id int
}

// Shed knows which tools are out.
type Shed struct {
	tools sync.Pool
	mu    sync.Mutex
	out   map[*tool]string
	worn  map[*tool]bool
}

func (s *Shed) Get(who string) *tool {
	t, _ := s.tools.Get().(*tool)
	if t == nil {
		t = &tool{}
	}
	s.mu.Lock()
	s.out[t] = who
	s.mu.Unlock()
	return t
}

// Put deletes the entry first.
func (s *Shed) Put(t *tool) {
	s.mu.Lock()
	delete(s.out, t)
	s.mu.Unlock()
	s.tools.Put(t)
}

// Swap deletes that of another one.
func (s *Shed) Swap(t, other *tool) {
	s.tools.Put(t)
	s.mu.Lock()
	delete(s.out, other)
	s.mu.Unlock()
}

// All takes the next one after each that it has put back.
func (s *Shed) All(list []*tool) {
	var t *tool
	for _, t = range list {
		s.mu.Lock()
		delete(s.out, t)
		s.mu.Unlock()
		s.tools.Put(t)
	}
}

// Locked puts it back in the critical section in which the entry goes.
func (s *Shed) Locked(t *tool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools.Put(t)
	delete(s.out, t)
}

// Wear is told of tools that are not taken out of the pool.
func (s *Shed) Wear(t *tool) {
	s.mu.Lock()
	s.worn[t] = true
	s.mu.Unlock()
}

// Mend forgets that.
func (s *Shed) Mend(t *tool) {
	s.tools.Put(t)
	s.mu.Lock()
	delete(s.worn, t)
	s.mu.Unlock()
}
