package section

import (
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// setBeyond says whether the variable is written by a function that does not run in the goroutine
// of this one: neither does this one alone call it, or one that calls this one alone, as a loop
// that reads messages calls what handles them,
//
//	for { m := c.read(); if c.ready { … }; c.handle(m) }     // handle sets ready, under the lock for others
//
// nor does it alone call this one. It is taken for granted that one goroutine at a time runs both
// for an object, unless requests of clients do.
func (s *search) setBeyond(v access.Var) bool {
	mine := s.body.Outermost()
	if s.shared.Launched(mine) || s.body != mine {
		return true
	}
	above := s.above(mine)
	for b := range s.shared.Use(v).Writers() {
		to := b.Outermost()
		if to == mine || s.shared.Constructing(b) {
			continue
		}
		if b != to || !s.onlyBelow(mine, to, 0) && !slices.ContainsFunc(above, func(top *accesses.Body) bool { return to == top || s.onlyBelow(to, top, 0) }) {
			return true
		}
	}
	return false
}

// above are the function, the one that alone calls it, and so on.
func (s *search) above(b *accesses.Body) []*accesses.Body {
	list := []*accesses.Body{b}
	for len(list) < 4 && b.Func != nil {
		callers := s.callersOf(b.Func)
		if len(callers) == 0 || s.mentioned(b.Func) != len(callers) || s.shared.Launched(callers[0]) ||
			slices.ContainsFunc(callers, func(from *accesses.Body) bool { return from != callers[0] || from.Parent != nil }) {
			break
		}
		b = callers[0]
		list = append(list, b)
	}
	return list
}

// onlyBelow says whether the function is called by top alone, perhaps by way of others that are,
// and started or handed around nowhere. One that is exported may be called by others, but for
// what the package itself starts a goroutine for.
func (s *search) onlyBelow(b, top *accesses.Body, depth int) bool {
	if b.Func == nil || depth > 4 || s.shared.Spawned(b) && !s.shared.Spawned(top) || b.Func.Exported() && !s.startedOnly(top) {
		return false
	}
	callers := s.callersOf(b.Func)
	return len(callers) > 0 && s.mentioned(b.Func) == len(callers) && !slices.ContainsFunc(callers, func(from *accesses.Body) bool {
		return from != top && (from.Parent != nil || !s.onlyBelow(from, top, depth+1))
	})
}

// startedOnly says whether the package itself runs the function, and in goroutines of its own.
func (s *search) startedOnly(b *accesses.Body) bool {
	if s.shared.Spawned(b) || b.Func == nil {
		return s.shared.Spawned(b)
	}
	callers := s.callersOf(b.Func)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(from *accesses.Body) bool { return !s.shared.Spawned(from) })
}
