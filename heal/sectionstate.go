//go:build !atomrace_off

package heal

import (
	"sync/atomic"
	"unsafe"
)

// sectionState is what heal knows about one section of the program, shared by
// all the tables that name it. What follows the counts is written under the lock of the
// registry.
type sectionState struct {
	counts sectionCounts // first, for 32-bit machines must have them aligned

	of       *Section // the first table entry seen
	variable *variable
	named    Policy // what SetPolicy has said; PolicyInherit is nothing
	auto     Policy // what PolicyAuto comes to: PolicyOff until the section has been broken
}

// state returns s's shared state, registering it at first sight.
//
//go:norace
func (s *Section) state() *sectionState {
	if st := s.met(); st != nil {
		return st
	}
	return s.register()
}

// met is s's shared state, nil before it is registered.
//
//go:norace
func (s *Section) met() *sectionState {
	return (*sectionState)(loadPointer((*unsafe.Pointer)(unsafe.Pointer(&s.known))))
}

func (s *Section) register() *sectionState {
	c := settings()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	v := s.Var.enter(c)
	var st *sectionState
	for _, known := range v.sections {
		if known.of.ID == s.ID {
			st = known
		}
	}
	if st == nil {
		st = &sectionState{of: s, variable: v, named: registry.named[s.ID], auto: PolicyOff}
		v.sections = append(v.sections, st)
		registry.sections = append(registry.sections, st)
		v.named = v.named || st.named != PolicyInherit
	}
	quiet()
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&s.known)), unsafe.Pointer(st))
	loud()
	v.decide(c)
	return st
}

// meet registers the sections that begin at l.
//
//go:norace
func (l *Location) meet() {
	if l.met {
		return
	}
	for _, s := range l.entries() {
		s.state()
	}
	l.met = true
}
