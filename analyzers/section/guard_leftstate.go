package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A stateSeen is what the body knows, on the way to some place, of another variable of the
// object: that it is a constant, or that it is another one. A test has found that, or the
// body has stored the constant itself.
type stateSeen struct {
	at    *occurrence
	value constant.Value
	equal bool
}

// nothing is the value of a state in which the variable is nil.
var nothing = constant.MakeUnknown()

// excludes says whether both cannot be true of one variable at the same time.
func (a stateSeen) excludes(b stateSeen) bool {
	if a.at.Var != b.at.Var || a.value.Kind() != b.value.Kind() {
		return false
	}
	same := a.has(b.value)
	return a.equal && b.equal && !same || a.equal != b.equal && same
}

// has says whether the value is that of the state.
func (a stateSeen) has(value constant.Value) bool {
	return a.value == nothing && value == nothing || constant.Compare(a.value, token.EQL, value)
}

// unset says whether it is a state in which the variable has its zero value.
func (a stateSeen) unset() bool { return a.equal && isZeroValue(a.value) }

// isZeroValue says whether the value is nil, false, 0 or "".
func isZeroValue(v constant.Value) bool {
	switch v.Kind() {
	case constant.Unknown:
		return true
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	case constant.Int, constant.Float:
		return constant.Sign(v) == 0
	}
	return false
}

// leftState says whether the read o comes after a state of the object in which alone others
// write what it reads, and which nobody brings back: they have found s.state == open in the
// critical section in which they write s.err, and the body has found s.state == broken
// under the lock, or set it so. An atomic state can be found without the lock, if it is
// stored with it held, and nothing is written afterwards. It may have found another one under
// the lock that comes about only when that is left, see implies, or called a method that has.
func (s *search) leftState(o *occurrence) bool {
	if o.Mode != atomicity.Read || !o.Var.Obj.IsField() {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, seen := range append(s.statesAt(o), s.statesGranted(o)...) {
		all, some := true, false
		for _, b := range s.pkg.Bodies {
			if s.bodyState = s.states[b]; s.shared.Constructing(b) {
				continue
			}
			for _, w := range s.order {
				if w.Var == o.Var && w.Mode == atomicity.Write && s.reachOf(w) != shared.Private {
					some = true
					all = all && w.via == nil && (!w.Var.Obj.Exported() || lockedInside(w.held)) && s.writesIn(w, seen)
				}
			}
		}
		s.bodyState = current
		if all && some {
			return true
		}
	}
	return false
}

// writesIn says whether w is reached only where a test has found, in the same critical section,
// a state that the one seen excludes, and which nobody brings back.
func (s *search) writesIn(w *occurrence, seen stateSeen) bool {
	for _, found := range s.statesAt(w) {
		if found.at.Mode != atomicity.Read || !found.equal || !s.oneHold(found.at, w) {
			continue
		}
		if (found.excludes(seen) && s.ordered(seen, w) || s.impliesLeft(seen, found, w)) && s.leftForGood(found) {
			return true
		}
	}
	return false
}

// leftForGood says whether the state is never brought back once it is left.
func (s *search) leftForGood(state stateSeen) bool {
	return state.unset() && s.setOnce(state.at.Var) || !s.broughtBack(state)
}

// lockedInside says whether one of the locks cannot be taken by other packages.
func lockedInside(held locks.Set) bool {
	return slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool {
		return l.Field() != nil && !l.Field().Exported() && !l.Field().Embedded()
	})
}

// ordered says whether what has been seen comes after all that the critical section of w
// does, if it is a state that one of them leaves. A test under a lock does. What the body has
// stored itself does if it held a lock of w's, and what it has loaded from an atomic variable
// if that is stored with one of them held alone, when there is nothing to write any more.
func (s *search) ordered(seen stateSeen, w *occurrence) bool {
	kept := func(o *occurrence) bool {
		return slices.ContainsFunc(locksOf(w.held), func(l accesses.Place) bool {
			at := o.lockOf(locks.ClassOf(l))
			return w.held[l] == locks.Exclusive && at.Valid() && o.held[at] == locks.Exclusive
		})
	}
	if seen.at.Kind != access.Atomic {
		return seen.at.Mode == atomicity.Read && (seen.value != nothing || lockOfBoth(w, seen.at) != "") || kept(seen.at)
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if s.bodyState = s.states[b]; s.shared.Constructing(b) {
			continue
		}
		for _, set := range s.order {
			if set.Var != seen.at.Var || set.Mode != atomicity.Write {
				continue
			}
			if !kept(set) || slices.ContainsFunc(s.order, func(o *occurrence) bool {
				return o.Var == w.Var && o.Mode == atomicity.Write && s.leadsTo(set, o)
			}) {
				return false
			}
		}
	}
	return true
}

// broughtBack says whether some function stores the value of the state, or one that is not
// known, in its variable.
func (s *search) broughtBack(state stateSeen) bool {
	if state.value == nothing {
		return s.maybeNil(state.at.Var)
	}
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) {
			continue
		}
		for _, set := range s.states[b].order {
			if set.Var != state.at.Var || set.Mode != atomicity.Write {
				continue
			}
			values := stored(set.source())
			if len(values) != 1 || set.Kind == access.Atomic && !strings.HasPrefix(set.source().Method, "Store") || s.pkg.Info.Types[values[0]].Value == nil || constant.Compare(s.pkg.Info.Types[values[0]].Value, token.EQL, state.value) {
				return true
			}
		}
	}
	return false
}

// statesAt are the states in which other fields of the object are on the way to o: tests have
// found them, under a lock if the field is not atomic, or the body has stored them under one,
// wherever it comes from.
func (s *search) statesAt(o *occurrence) []stateSeen {
	var list []stateSeen
	for _, r := range s.order {
		atomic := r.Kind == access.Atomic && strings.HasPrefix(r.Method, "Load")
		if r.via != nil || r.Var == o.Var || !r.Var.Obj.IsField() || !r.place.Beside(o.place) || !atomic && (r.Kind != access.Cell || !r.held.Any()) {
			continue
		}
		if r.Mode == atomicity.Write {
			if state, known := s.broughtTo(r); known && s.alwaysComesFrom(r, o) {
				list = append(list, state)
			}
			continue
		}
		for _, test := range s.testsOf(r.Access, true) {
			decides, edge := s.decides(test, o.block)
			if !decides || test == o.block {
				continue
			}
			if value, equal := s.comparedIn(s.body.Conds[test], r.Access, edge == 0); value != nil {
				list = append(list, stateSeen{r, value, equal})
			}
		}
	}
	return list
}

// comparedIn is the constant that a part of the conditions compares the read with, and whether
// it is that one where they hold, or do not.
func (s *search) comparedIn(conds []ast.Expr, r *access.Access, holds bool) (value constant.Value, equal bool) {
	parts := []part{{nil, holds}} // a case of a switch
	if len(conds) == 1 {
		parts = surely(conds[0], holds)
	}
	for _, p := range parts {
		if p.cond != nil {
			conds = []ast.Expr{p.cond}
		}
		if value, equal = s.comparedWith(conds, r); value == nil {
			continue
		}
		equal = equal == p.holds
		if value.Kind() == constant.Bool && !equal {
			value, equal = constant.MakeBool(!constant.BoolVal(value)), true
		}
		return value, equal
	}
	return nil, false
}

// alwaysComesFrom says whether control comes to o by way of w alone.
func (s *search) alwaysComesFrom(w, o *occurrence) bool {
	if w.block == o.block {
		return w.index < o.index
	}
	return !s.reaches(s.body.CFG.Blocks[0], w.block)[o.block]
}

// comparedWith is the constant that the conditions compare the read with, and whether they hold
// where it is that one.
func (s *search) comparedWith(conds []ast.Expr, r *access.Access) (value constant.Value, equal bool) {
	if len(conds) == 2 && s.is(conds[1], r) { // a case of a switch
		return s.constantOf(conds[0]), true
	}
	if len(conds) != 1 {
		return nil, false
	}
	switch e := ast.Unparen(conds[0]).(type) {
	case *ast.BinaryExpr:
		if s.is(e.X, r) && (e.Op == token.EQL || e.Op == token.NEQ) {
			return s.constantOf(e.Y), e.Op == token.EQL
		}
	default:
		if s.is(conds[0], r) && isBoolean(s.pkg.Info.TypeOf(conds[0])) {
			return constant.MakeBool(true), true
		}
	}
	return nil, false
}

// constantOf is the constant that the expression is, nothing for nil, or nil.
func (s *search) constantOf(e ast.Expr) constant.Value {
	if s.pkg.Info.Types[e].IsNil() {
		return nothing
	}
	return s.pkg.Info.Types[e].Value
}
