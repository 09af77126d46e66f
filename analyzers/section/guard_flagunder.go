package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A guardedClose is a close of a channel that a test of a flag of the same object decides about,
// which is set in the same critical section; under are the locks that are held from the test on.
type guardedClose struct {
	closeCall
	test  *occurrence
	under []accesses.Place
	body  *accesses.Body
}

// flagUnderTwo finds channels that are closed after the test of a flag, in one place under the
// lock of the object itself, and in another one under that of a container which it is in:
//
//	s.mu.Lock()                      r.mu.Lock()
//	if !s.ended {                    if s := r.subs[id]; !s.ended {
//		s.ended = true                   s.ended = true
//		close(s.end)                     close(s.end)
//	}                                }
//
// Neither lock keeps the other function out, and both can find the flag unset.
func (s *search) flagUnderTwo() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.recovers() {
		return
	}
	for _, c := range s.guardedCloses() {
		if c.own() {
			continue // the other one tells
		}
		current := s.bodyState
		var other *guardedClose
		closers := s.closersOf(c.channel.Var)
		for _, b := range s.pkg.Bodies {
			if _, closes := closers[b]; !closes || b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || s.shared.Sequential(b) || other != nil {
				continue
			}
			s.bodyState = s.states[b]
			for _, k := range s.guardedCloses() {
				if k.channel.Var == c.channel.Var && k.test.Var == c.test.Var && apartLocks(c, k) && !s.recovers() {
					other = &k
					break
				}
			}
		}
		s.bodyState = current
		if other == nil || s.toldOfFlag(c.test.Var) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, c.test.Var, map[*accesses.Body]bool{other.body: true}); !strong {
			continue
		}
		d := s.direct("testuse", "double-close", c.test.Access, c.test.Pos(), other.call.Pos())
		d.Roles = [2]string{"tested under one lock", "closed under another"}
		d.Message = fmt.Sprintf("two goroutines can both find %s unset and close %s twice: here under %s, and in %s under %s: neither keeps the other out",
			types.ExprString(c.test.Expr), types.ExprString(c.channel.Expr), c.under[0], other.body.Fn.Name, other.under[0])
		s.tell(d, c.test, c.channel.Access)
		return
	}
}

// toldOfFlag says whether something is reported already of a function that tests the flag.
func (s *search) toldOfFlag(flag access.Var) bool {
	return slices.ContainsFunc(s.found, func(c *Candidate) bool { return c.Sure && c.Variable == flag })
}

// guardedCloses lists those of the body that hold locks with a name, and no others.
func (s *search) guardedCloses() []guardedClose {
	var list []guardedClose
	for _, c := range s.closeCalls() {
		if !c.held.Excludes() || len(locksOf(c.held)) != len(c.held) {
			continue
		}
		for _, r := range s.order {
			if r.Mode != atomicity.Read || r.Kind != access.Cell || r.via != nil || !r.Var.Obj.IsField() || r.place.Root != c.channel.place.Root || s.reachOf(r) == shared.Private ||
				!s.decided(s.testsOf(r.Access, true), c.block) || !s.setAtOnce(r) {
				continue
			}
			var under []accesses.Place
			for _, l := range locksOf(r.held) {
				if v := l.Field(); c.held[l] == locks.Exclusive && r.held[l] == locks.Exclusive && v != nil && holdsItself(v.Type()) {
					under = append(under, l)
				}
			}
			if len(under) == len(locksOf(c.held)) {
				list = append(list, guardedClose{c, r, under, s.body})
			}
		}
	}
	return list
}

// setAtOnce says whether the body sets what r tests in the critical section of the test.
func (s *search) setAtOnce(r *occurrence) bool {
	return slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.via == nil && w.sameInstance(r) && s.leadsTo(r, w) && s.oneHold(r, w)
	})
}

// own says whether a lock of the object that the flag is in is held.
func (c guardedClose) own() bool {
	return slices.ContainsFunc(c.under, func(l accesses.Place) bool { return l.Beside(c.test.place) })
}

// apartLocks says whether only the second one holds a lock of the object that the flag is in, and
// the two hold none of the same class.
func apartLocks(a, b guardedClose) bool {
	if a.own() || !b.own() {
		return false
	}
	return !slices.ContainsFunc(a.under, func(l accesses.Place) bool {
		return slices.ContainsFunc(b.under, func(m accesses.Place) bool { return locks.ClassOf(l) == locks.ClassOf(m) })
	})
}

// flagBelow is flagUnderTwo where the test and the close lie in a method that is called with the
// one lock held here, and with the other one there.
func (s *search) flagBelow() {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || s.shared.Constructing(s.body) || s.recovers() || !unsettled(s.locks.Entry(s.body)) || s.pkg.Exported(fn) {
		return
	}
	recv := types.Object(fn.Signature().Recv())
	for _, c := range s.closeCalls() {
		if !unsettled(c.held) || c.channel.place.Root != recv {
			continue
		}
		for _, r := range s.order {
			if r.Mode != atomicity.Read || r.Kind != access.Cell || r.via != nil || !r.Var.Obj.IsField() || r.place.Root != recv || !unsettled(r.held) ||
				!s.decided(s.testsOf(r.Access, true), c.block) || !slices.ContainsFunc(s.order, func(w *occurrence) bool {
				return w.Mode == atomicity.Write && w.via == nil && w.sameInstance(r) && s.leadsTo(r, w)
			}) {
				continue
			}
			if a, b := s.calledUnderTwo(fn, r); a != nil && !s.toldOfFlag(r.Var) {
				d := s.direct("testuse", "double-close", r.Access, r.Pos(), c.call.Pos())
				d.Roles = [2]string{"tested", "closed"}
				d.Message = fmt.Sprintf("two goroutines can both find %s unset and close %s twice: %s calls %s under %s, and %s under %s: neither keeps the other out",
					types.ExprString(r.Expr), types.ExprString(c.channel.Expr), a.body.Fn.Name, fn.Name(), locksOf(a.held)[0], b.body.Fn.Name, locksOf(b.held)[0])
				s.tell(d, r, c.channel.Access)
				return
			}
		}
	}
}

// unsettled says whether what is held is not known to be held always: each of the callers holds
// something else.
func unsettled(held locks.Set) bool {
	for l, m := range held {
		if m > locks.Possible && l != locks.Caller {
			return false
		}
	}
	return true
}

// calledUnderTwo are two calls of the method with locks held that have none in common, one of
// them that of the object itself.
func (s *search) calledUnderTwo(fn *types.Func, r *occurrence) (a, b *lockedCall) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	var own, other *lockedCall
	for _, from := range s.callersOf(fn) {
		if s.shared.Constructing(from) || s.shared.Sequential(from) {
			continue
		}
		s.bodyState = s.states[from]
		s.locks.Walk(from, func(_, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn || !held.Excludes() || len(locksOf(held)) != len(held) {
				return
			}
			on := s.receiverOf(call)
			v, ok := on.Root.(*types.Var)
			if !ok || s.shared.Object(from, v) == shared.Private {
				return
			}
			isOwn, known := false, true
			for _, l := range locksOf(held) {
				field := l.Field()
				known = known && field != nil && holdsItself(field.Type()) && held[l] == locks.Exclusive
				isOwn = isOwn || l.Object() == on
			}
			switch {
			case !known:
			case isOwn && own == nil:
				own = &lockedCall{from, call, held}
			case !isOwn && other == nil:
				other = &lockedCall{from, call, held}
			}
		})
	}
	if own == nil || other == nil || slices.ContainsFunc(locksOf(own.held), func(l accesses.Place) bool {
		return slices.ContainsFunc(locksOf(other.held), func(m accesses.Place) bool { return locks.ClassOf(l) == locks.ClassOf(m) })
	}) {
		return nil, nil
	}
	if _, strong, _ := s.shared.RivalsAmong(own.body, r.Var, map[*accesses.Body]bool{s.body: true, other.body: true}); !strong {
		return nil, nil
	}
	return own, other
}
