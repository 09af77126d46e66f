package section

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// dismantled finds objects that are used under their lock because a look at a flag, before
// the lock was taken, has let the body in, where the function that sets the flag takes
// apart, under the same lock, what is used then:
//
//	if s.closed.Load() { return }
//	s.mu.Lock()
//	s.buf.Write(p) // Close: s.closed.Store(true); s.mu.Lock(); s.buf = nil
//
// In between Close can have come and gone, and s.buf is nil.
func (s *search) dismantled() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.Constructing(s.body) || s.recovers() {
		return
	}
	for _, e := range s.order {
		if e.Mode != atomicity.Read || e.depth > 1 || e.held.Any() || !e.place.Valid() || !s.isSwitch(e) || s.reachOf(e) < shared.Meant {
			continue
		}
		tests := s.testsOf(e.Access, true)
		if len(tests) == 0 || s.inFlight(e.Pos()) {
			continue
		}
		for _, u := range s.order {
			if u.Kind != access.Cell || u.Mode != atomicity.Read || u.place.Root != e.place.Root || u.Var == e.Var || !s.decided(tests, u.block) || !s.fails(u) || s.lookedAtAgain(e, u) {
				continue
			}
			for _, l := range u.held.Places() {
				if l.Root != u.place.Root || u.held[l] == locks.Possible {
					continue
				}
				if gone, in := s.takesApart(e.Var, u.Var, locks.ClassOf(l), s.raises); gone != nil {
					s.admitted(e, u, gone, l, in, "set")
					return
				}
			}
		}
	}
}

func (s *search) admitted(e, u, gone *occurrence, l accesses.Place, in *access.Function, done string) {
	c := s.direct("testuse", "test-before-lock", e.source(), e.Pos(), u.Pos())
	c.Via = e.via
	used := types.ExprString(u.Expr)
	if u.via != nil {
		used, _, _ = strings.Cut(u.place.String(), "[")
	}
	c.EndName = s.pkg.Name(access.Var{Obj: u.Var.Obj})
	c.Roles = [2]string{"tested", "used"}
	c.Message = fmt.Sprintf("%s is looked at before %s is taken: by then %s can have %s it and taken %s away, which is used here",
		e.place, l, in.Name, done, used)
	s.tell(c, e, gone.Access)
}

// isSwitch says whether the variable of e is a flag: a boolean, or an atomic number.
func (s *search) isSwitch(e *occurrence) bool {
	if isFlag(e.Var) {
		return true
	}
	if e.Kind != access.Atomic {
		return false
	}
	if tn := accesses.TypeName(e.Var.Obj.Type()); tn != nil && tn.Pkg() != nil && access.IsAtomic(tn.Pkg().Path()) {
		return tn.Name() == "Bool" || countable(tn.Type())
	}
	b, ok := e.Var.Obj.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// fails says whether the read would not do with nil, and the body does not look for nil.
func (s *search) fails(u *occurrence) bool {
	if !s.dereferenced(u) {
		return false
	}
	return !slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Var == u.Var && (o.Mode == atomicity.Write && o.depth < 2 || o.Mode == atomicity.Read && s.comparedWithNil(o))
	})
}

// comparedWithNil says whether a test compares what o reads with nil.
func (s *search) comparedWithNil(o *occurrence) bool {
	if t := s.pkg.Info.TypeOf(o.Expr); t == nil || !types.Identical(t, o.Var.Obj.Type()) {
		return false // the error that a call returns which reads it
	}
	for _, test := range s.testsOf(o.Access, true) {
		for _, cond := range s.body.Conds[test] {
			if s.unsetEdge(cond, o.Access) >= 0 {
				return true
			}
		}
	}
	return false
}

// lookedAtAgain says whether the flag is looked at once more on the way, with a lock held.
func (s *search) lookedAtAgain(e, u *occurrence) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o != e && o.Var == e.Var && o.Mode == atomicity.Read && o.held.Any() && s.leadsTo(o, u)
	})
}

// takesApart finds a function that sets the flag as sets says and, under a lock of the class, sets the
// variable to nil, without waiting for any goroutine in between.
func (s *search) takesApart(flag, v access.Var, class string, sets func(*occurrence) bool) (gone *occurrence, in *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, gone := range s.nilledIn(v) {
		if gone.body.Outermost() == current.body.Outermost() || !gone.lockOf(class).Valid() {
			continue
		}
		s.bodyState = s.states[gone.body]
		for _, set := range s.order {
			if set.Var == flag && set.Mode == atomicity.Write && set.place.Root == gone.place.Root && (s.leadsTo(set, gone.occurrence) || set.via != nil && set.via == gone.via && s.pkg.Order(set.at) < s.pkg.Order(gone.at)) && sets(set) &&
				!s.waitsBetween(gone.body.Outermost(), set.Pos(), gone.Pos()) {
				return gone.occurrence, gone.body.Fn
			}
		}
	}
	return nil, nil
}

// nilledIn is where functions other than constructors set the variable to nil, themselves
// or by a callee.
func (s *search) nilledIn(v access.Var) []placed {
	if s.nilled == nil {
		s.nilled = map[access.Var][]placed{}
		for _, b := range s.pkg.Bodies {
			if s.shared.Constructing(b) {
				continue
			}
			for _, w := range s.states[b].order {
				if w.Mode == atomicity.Write && w.Kind == access.Cell && w.depth <= 1 && s.nils(w) {
					s.nilled[w.Var] = append(s.nilled[w.Var], placed{w, b})
				}
			}
		}
	}
	return s.nilled[v]
}

// nils says whether the write stores nil.
func (s *search) nils(w *occurrence) bool {
	values := stored(w.source())
	return len(values) == 1 && s.pkg.Info.Types[values[0]].IsNil()
}

// raises says whether the write sets a flag to a constant other than false or 0.
func (s *search) raises(w *occurrence) bool {
	values := stored(w.source())
	if len(values) == 0 {
		return false
	}
	last := values[len(values)-1]
	return s.pkg.Info.Types[last].Value != nil && !s.zero(last)
}
