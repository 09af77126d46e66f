package broken

import (
	"slices"
	"sync"
)

type plug interface{ push(string) }

// Socket hands the slices that it guards to loops without the lock.
type Socket struct {
	mu     sync.RWMutex
	plugs  []plug
	byName map[string][]plug
	spare  []plug
	old    []plug
	kept   []plug
}

func (s *Socket) Add(name string, p plug) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plugs = append(s.plugs, p)
	s.byName[name] = append(s.byName[name], p)
	s.spare = append(s.spare, p)
	s.old = append(s.old, p)
	s.kept = append(s.kept, p)
}

func (s *Socket) Remove(name string, p plug) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, q := range s.plugs {
		if q == p {
			s.plugs = append(s.plugs[:i], s.plugs[i+1:]...)
			break
		}
	}
	list := s.byName[name]
	if i := slices.Index(list, p); i >= 0 {
		copy(list[i:], list[i+1:])
		s.byName[name] = list[:len(list)-1]
	}
	s.old = slices.DeleteFunc(s.old, func(q plug) bool { return q == p })
}

// Push ranges over what it has read under the lock.
func (s *Socket) Push(what string) {
	s.mu.RLock()
	plugs := s.plugs // want `s.plugs is walked through after s.mu was released, while \(\*Socket\).Remove moves its elements in place \(append\(s.plugs\[:i\], s.plugs\[i \+ 1:\]...\)\): one can be skipped, or met twice`
	s.mu.RUnlock()
	for _, p := range plugs {
		p.push(what)
	}
}

// PushTo counts, in a map of slices.
func (s *Socket) PushTo(name, what string) {
	s.mu.RLock()
	list, ok := s.byName[name] // want `s.byName\[name\] is walked through after s.mu was released`
	s.mu.RUnlock()
	if !ok {
		return
	}
	for i := 0; i < len(list); i++ {
		list[i].push(what)
	}
}

func (s *Socket) olds() []plug {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.old
}

// PushOld takes it from a getter.
func (s *Socket) PushOld(what string) {
	for _, p := range s.olds() { // want `s.olds\(\) is walked through after s.mu was released`
		p.push(what)
	}
}

// Drop puts the last one in the place of the one that goes.
func (s *Socket) Drop(p plug) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.spare {
		if s.spare[i] == p {
			s.spare[i] = s.spare[len(s.spare)-1]
			s.spare = s.spare[:len(s.spare)-1]
			return
		}
	}
}

func (s *Socket) PushSpare(what string) {
	s.mu.RLock()
	spare := s.spare // want `s.spare is walked through after s.mu was released`
	s.mu.RUnlock()
	for _, p := range spare {
		p.push(what)
	}
}

// Keep filters into the same array.
func (s *Socket) Keep(wanted func(plug) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.kept[:0]
	for _, p := range s.kept {
		if wanted(p) {
			kept = append(kept, p)
		}
	}
	s.kept = kept
}

func (s *Socket) PushKept(what string) {
	s.mu.RLock()
	kept := s.kept // want `s.kept is walked through after s.mu was released`
	s.mu.RUnlock()
	for _, p := range kept {
		p.push(what)
	}
}
