package fine

import "sync"

type depthMark struct{ depth, weight int }

// DepthList looks again before it appends.
type DepthList struct {
	mu    sync.RWMutex
	marks []*depthMark
}

func (l *DepthList) Depth() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.depth()
}

func (l *DepthList) depth() int {
	if len(l.marks) == 0 {
		return 0
	}
	return l.marks[len(l.marks)-1].depth
}

func (l *DepthList) Push(m *depthMark) {
	if l.Depth() >= m.depth {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.depth() < m.depth {
		l.marks = append(l.marks, m)
	}
}

// Always appends, whatever the last one is.
func (l *DepthList) Always(m *depthMark) {
	m.weight = l.Depth()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.marks = append(l.marks, m)
}

// DepthLog has one who appends at a time.
type DepthLog struct {
	adding sync.Mutex
	mu     sync.RWMutex
	marks  []depthMark
}

func (l *DepthLog) Last() depthMark {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.marks[len(l.marks)-1]
}

func (l *DepthLog) Push(m depthMark) {
	l.adding.Lock()
	defer l.adding.Unlock()
	if l.Last().depth >= m.depth {
		return
	}
	l.mu.Lock()
	l.marks = append(l.marks, m)
	l.mu.Unlock()
}

// DepthStack looks at the last one itself, with the lock held.
type DepthStack struct {
	mu    sync.RWMutex
	marks []depthMark
}

func (s *DepthStack) Last() depthMark {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.marks[len(s.marks)-1]
}

func (s *DepthStack) Push(m depthMark) {
	if s.Last().depth >= m.depth {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := s.marks[len(s.marks)-1]; last.depth < m.depth {
		s.marks = append(s.marks, m)
	}
}

func newDepthStack(marks []depthMark) *DepthStack {
	s := &DepthStack{marks: marks[:1]}
	for _, m := range marks {
		if s.Last().depth < m.depth {
			s.mu.Lock()
			s.marks = append(s.marks, m)
			s.mu.Unlock()
		}
	}
	return s
}
