package section

import (
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// claimedInside says whether the callee that looks at the variable for the body puts something there at
// once, in the same critical section, where it finds nothing, and its answer decides whether control comes
// to the end: the one goroutine that has put it there takes it away again.
//
//	first, call := g.join(key) // g.mu.Lock(); if c := g.calls[key]; c != nil { … return false, c }; g.calls[key] = c
//	if !first { return call.wait() }
//	…
//	g.leave(key)               // g.mu.Lock(); delete(g.calls, key)
func (f *finding) claimedInside(end *hit) bool {
	via := f.entry.via
	if via == nil || f.entry.depth != 1 || f.entry.lit || end.via == via || !f.decided(f.testsOfResult(via), end.block) {
		return false
	}
	b := f.pkg.ByFunc[f.locks.Callee(via)]
	if b == nil {
		return false
	}
	claims := false
	f.inState(b, func() { claims = f.putsUnderTest(f.entry.Var) })
	return claims
}

// putsUnderTest says whether the body writes the variable where it has looked at it, in one critical section of
// its own.
func (s *search) putsUnderTest(v access.Var) bool {
	for _, look := range s.order {
		if look.Mode != atomicity.Read || look.via != nil || look.Var != v || !look.held.Any() {
			continue
		}
		tests := s.testsOf(look.Access, true)
		for _, put := range s.order {
			if put.Mode == atomicity.Write && put.via == nil && put.sameInstance(look) && put.Method != "delete" && s.decided(tests, put.block) && s.oneHold(look, put) {
				return true
			}
		}
	}
	return false
}
