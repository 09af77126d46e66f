package section

import (
	"go/ast"
	"go/constant"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A stateSeen is what a test has found, on the way to some place, of another variable of the
// object: that it is a constant, or that it is another one.
type stateSeen struct {
	read  *occurrence
	value constant.Value
	equal bool
}

// excludes says whether both cannot be true of one variable at the same time.
func (a stateSeen) excludes(b stateSeen) bool {
	if a.read.Var != b.read.Var || a.value.Kind() != b.value.Kind() {
		return false
	}
	same := constant.Compare(a.value, token.EQL, b.value)
	return a.equal && b.equal && !same || a.equal != b.equal && same
}

// leftState says whether the read o comes after a state of the object in which alone others
// write what it reads, and which nobody brings back: they have found s.state == open in the
// critical section in which they write s.err, and the body has found s.state == broken
// under the lock.
func (s *search) leftState(o *occurrence) bool {
	if o.Mode != atomicity.Read || !o.Var.Obj.IsField() || o.Var.Obj.Exported() {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, seen := range s.statesAt(o) {
		all, some := true, false
		for _, b := range s.pkg.Bodies {
			if s.bodyState = s.states[b]; s.shared.Constructing(b) {
				continue
			}
			for _, w := range s.order {
				if w.Var == o.Var && w.Mode == atomicity.Write && s.reachOf(w) != shared.Private {
					some = true
					all = all && w.via == nil && s.writesIn(w, seen)
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
	for _, at := range s.statesAt(w) {
		if at.excludes(seen) && at.equal && s.oneHold(at.read, w) && !s.broughtBack(at) {
			return true
		}
	}
	return false
}

// broughtBack says whether some function stores the value of the state, or one that is not
// known, in its variable.
func (s *search) broughtBack(state stateSeen) bool {
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) {
			continue
		}
		for _, set := range s.states[b].order {
			if set.Var != state.read.Var || set.Mode != atomicity.Write {
				continue
			}
			values := stored(set.source())
			if len(values) != 1 || s.pkg.Info.Types[values[0]].Value == nil || constant.Compare(s.pkg.Info.Types[values[0]].Value, token.EQL, state.value) {
				return true
			}
		}
	}
	return false
}

// statesAt are the states that tests of other fields of the object have found on the way to
// o, each read under a lock.
func (s *search) statesAt(o *occurrence) []stateSeen {
	var list []stateSeen
	for _, r := range s.order {
		if r.Mode != atomicity.Read || r.via != nil || r.Var == o.Var || !r.Var.Obj.IsField() || !r.place.Beside(o.place) || r.Kind != access.Cell || !r.held.Any() {
			continue
		}
		for _, test := range s.testsOf(r.Access, true) {
			decides, edge := s.decides(test, o.block)
			if !decides || test == o.block {
				continue
			}
			value, equal := s.comparedWith(s.body.Conds[test], r.Access)
			if value == nil {
				continue
			}
			equal = equal == (edge == 0)
			if value.Kind() == constant.Bool && !equal {
				value, equal = constant.MakeBool(!constant.BoolVal(value)), true
			}
			list = append(list, stateSeen{r, value, equal})
		}
	}
	return list
}

// comparedWith is the constant that the conditions compare the read with, and whether they hold
// where it is that one.
func (s *search) comparedWith(conds []ast.Expr, r *access.Access) (value constant.Value, equal bool) {
	if len(conds) == 2 && s.is(conds[1], r) { // a case of a switch
		return s.pkg.Info.Types[conds[0]].Value, true
	}
	if len(conds) != 1 {
		return nil, false
	}
	switch e := ast.Unparen(conds[0]).(type) {
	case *ast.BinaryExpr:
		if s.is(e.X, r) && (e.Op == token.EQL || e.Op == token.NEQ) {
			return s.pkg.Info.Types[e.Y].Value, e.Op == token.EQL
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT && s.is(e.X, r) {
			return constant.MakeBool(true), false
		}
	default:
		if s.is(conds[0], r) && isBoolean(s.pkg.Info.TypeOf(conds[0])) {
			return constant.MakeBool(true), true
		}
	}
	return nil, false
}
