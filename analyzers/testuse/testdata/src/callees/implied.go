package callees

import "sync"

// marks has a lock, and is kept in boards alone: boards are meant to be shared.
type marks struct {
	mu sync.RWMutex
	m  map[int]int
}

func (k *marks) Get(i int) int {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.m[i]
}

func (k *marks) Set(i, v int) {
	k.mu.Lock()
	k.m[i] = v
	k.mu.Unlock()
}

// Raise stores the greater of the two.
func (k *marks) Raise(i, v int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if v > k.m[i] {
		k.m[i] = v
	}
}

type Board struct {
	name  string
	marks *marks
}

func NewBoard(name string) *Board {
	return &Board{name: name, marks: &marks{m: map[int]int{}}}
}

func (b *Board) Advance(i, v int) bool {
	if v <= b.marks.Get(i) { // want `two goroutines can both pass the test of b.marks.m \(in b.marks.Get\) and both set it`
		return false
	}
	b.marks.Set(i, v)
	return true
}

func (b *Board) AdvanceAtOnce(i, v int) bool {
	if v <= b.marks.Get(i) {
		return false
	}
	b.marks.Raise(i, v)
	return true
}

// Scores has a lock, and anybody can have some: who keeps them in what else is not known.
type Scores struct {
	mu sync.Mutex
	m  map[int]int
}

func NewScores() *Scores { return &Scores{m: map[int]int{}} }

func (k *Scores) Get(i int) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.m[i]
}

func (k *Scores) Set(i, v int) {
	k.mu.Lock()
	k.m[i] = v
	k.mu.Unlock()
}

type Sheet struct{ scores *Scores }

func (s *Sheet) Advance(i, v int) bool {
	if v <= s.scores.Get(i) {
		return false
	}
	s.scores.Set(i, v)
	return true
}

// leaf is a node of a tree that hangs in a Tree.
type leaf struct {
	name string
	subs subs
}

type subs struct {
	mu sync.RWMutex
	m  map[string]*leaf
}

func newLeaf(name string) *leaf {
	return &leaf{name: name, subs: subs{m: map[string]*leaf{}}}
}

func (s *subs) find(name string) *leaf {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[name]
}

func (s *subs) add(l *leaf) {
	s.mu.Lock()
	s.m[l.name] = l
	s.mu.Unlock()
}

func (s *subs) addOnce(l *leaf) *leaf {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.m[l.name]; old != nil {
		return old
	}
	s.m[l.name] = l
	return l
}

type Tree struct{ root *leaf }

func NewTree() *Tree { return &Tree{root: newLeaf("")} }

func (t *Tree) Grow(names []string) {
	n := t.root
	for _, name := range names {
		next := n.subs.find(name) // want `two goroutines can both pass the test of n.subs.m \(in n.subs.find\) and both set it`
		if next == nil {
			next = newLeaf(name)
			n.subs.add(next)
		}
		n = next
	}
}

func (t *Tree) GrowOnce(names []string) {
	n := t.root
	for _, name := range names {
		next := n.subs.find(name)
		if next == nil {
			next = n.subs.addOnce(newLeaf(name))
		}
		n = next
	}
}
