package broken

import "sync"

type heightSpan struct {
	mu   sync.Mutex
	list []int
}

func (s *heightSpan) top() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[len(s.list)-1]
}

func (s *heightSpan) add(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, v)
}

// HeightSpans asks for the last height, and adds the next one later.
type HeightSpans struct {
	mu    sync.RWMutex
	spans []*heightSpan
}

func (s *HeightSpans) Top() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := len(s.spans)
	if n == 0 {
		return 0
	}
	last := s.spans[n-1]
	return last.top()
}

func (s *HeightSpans) Add(v int) {
	top := s.Top() // want `s.spans is appended to because of what s.Top has told of its last element, which can be another one by now: the lock is released in between`
	if top >= v {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if top != 0 && v == top+1 {
		s.spans[len(s.spans)-1].add(v)
	} else {
		s.spans = append(s.spans, &heightSpan{list: []int{v}})
	}
}

type heightBlock struct{ height, weight int }

// HeightChain tests a field of the last one.
type HeightChain struct {
	sync.Mutex
	blocks []*heightBlock
}

func (c *HeightChain) Height() int {
	c.Lock()
	defer c.Unlock()
	if len(c.blocks) == 0 {
		return 0
	}
	return c.blocks[len(c.blocks)-1].height
}

func (c *HeightChain) Push(b *heightBlock) bool {
	if c.Height()+1 != b.height { // want `c.blocks is appended to because of what c.Height has told`
		return false
	}
	c.Lock()
	c.blocks = append(c.blocks, b)
	c.Unlock()
	return true
}

// HeightLog gets the last one itself, and whether there is one.
type HeightLog struct {
	mu      sync.RWMutex
	records []heightBlock
}

func (l *HeightLog) Last() (heightBlock, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	i := len(l.records) - 1
	if i < 0 {
		return heightBlock{}, false
	}
	return l.records[i], true
}

func (l *HeightLog) Put(b heightBlock) bool {
	switch last, ok := l.Last(); { // want `l.records is appended to because of what l.Last has told`
	case ok && last.height >= b.height:
		return false
	default:
		l.put(b)
		return true
	}
}

func (l *HeightLog) put(b heightBlock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, b)
}
