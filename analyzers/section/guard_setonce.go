package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A variable is set once if whoever writes it, constructors aside, has found in the same
// critical section that it is nil, false or 0 still: an error that ends an object, a flag
// that it is closed. Who has seen it set under the lock has seen the last of its values,
// and of those who come to set it one gets past the look.

// setOnce says whether v, a field of this package, is such a variable.
func (s *search) setOnce(v access.Var) bool {
	if known, ok := s.settled[v]; ok {
		return known
	}
	if s.settled == nil {
		s.settled = map[access.Var]bool{}
	}
	s.settled[v] = s.findSetOnce(v)
	return s.settled[v]
}

func (s *search) findSetOnce(v access.Var) bool {
	if v.Obj == nil || v.Contents || v.Obj.Pkg() != s.pkg.Types || !v.Obj.IsField() || v.Obj.Exported() {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	found := false
	for _, b := range s.pkg.Bodies {
		if s.bodyState = s.states[b]; s.shared.Constructing(b) {
			continue
		}
		for _, w := range s.order {
			if w.Var != v || w.Mode != atomicity.Write || w.via != nil || s.reachOf(w) == shared.Private {
				continue
			}
			if w.Kind != access.Cell || s.foundUnset(w) == nil {
				return false
			}
			found = true
		}
	}
	return found
}

// foundUnset is the look, in the critical section of the write w, that leads to w only
// where it has found the variable unset; or nil.
func (s *search) foundUnset(w *occurrence) *occurrence {
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.via == nil && r.sameInstance(w) && r.held.Any() && s.finds(r, w, false) && s.oneHold(r, w) {
			return r
		}
	}
	return nil
}

// foundSet says whether control comes to the read o only where a look under a lock has
// found the variable set, or the method that sets it was called.
func (s *search) foundSet(o *occurrence) bool {
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if ok && ev.Kind == accesses.OnCall && always(s.body, block, index, o.block, o.index) && s.setsIfUnset(call, o) {
				return true
			}
		}
	}
	for _, r := range s.order {
		if r != o && r.Mode == atomicity.Read && r.via == nil && r.sameInstance(o) && r.held.Any() && s.finds(r, o, true) {
			return true
		}
	}
	return false
}

// setsIfUnset says whether the call is of a method that sets what o reads, or has found it set.
func (s *search) setsIfUnset(call *ast.CallExpr, o *occurrence) bool {
	on := s.receiverOf(call)
	if !on.Valid() || on != o.place.Object() {
		return false
	}
	fn, found := s.locks.Callee(call), false
	s.inState(s.pkg.ByFunc[fn], func() {
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.Kind != access.Cell || w.Var != o.Var || w.via != nil || w.place.Root != types.Object(fn.Signature().Recv()) {
				continue
			}
			for _, r := range s.order {
				if r.Mode == atomicity.Read && r.sameInstance(w) && s.finds(r, w, false) && s.decidedAlone(r, w) {
					found = true
				}
			}
		}
	})
	return found
}

// decidedAlone says whether nothing but the test of r decides whether control comes to w.
func (s *search) decidedAlone(r, w *occurrence) bool {
	tests := s.testsOf(r.Access, true)
	for test := range s.body.Conds {
		if decides, _ := s.decides(test, w.block); decides && test != w.block && !slices.Contains(tests, test) {
			return false
		}
	}
	return true
}

// finds says whether a test of the read r alone leads to o, where the variable is set, or
// unset, as wanted.
func (s *search) finds(r, o *occurrence, set bool) bool {
	for _, test := range s.testsOf(r.Access, true) {
		decides, edge := s.decides(test, o.block)
		if !decides || test == o.block || len(s.body.Conds[test]) != 1 {
			continue
		}
		for _, p := range surely(s.body.Conds[test][0], edge == 0) {
			if unset := s.unsetEdge(p.cond, r.Access); unset >= 0 && (p.holds == (unset == 0)) != set {
				return true
			}
		}
	}
	return false
}

// unsetEdge is the successor, 0 or 1, to which the condition leads where the variable
// that r reads has its zero value; -1 if the condition asks for something else.
func (s *search) unsetEdge(cond ast.Expr, r *access.Access) int {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT && s.is(e.X, r) {
			return 0
		}
	case *ast.BinaryExpr:
		if !s.zero(e.Y) || !s.is(e.X, r) {
			break
		}
		switch e.Op {
		case token.EQL:
			return 0
		case token.NEQ:
			return 1
		}
	default:
		if s.is(cond, r) && isBoolean(s.pkg.Info.TypeOf(cond)) {
			return 1
		}
	}
	return -1
}

// is says whether the expression is the read itself, or a local that holds what it read.
func (s *search) is(e ast.Expr, r *access.Access) bool {
	for range 3 { // a parameter may hold what a local does
		e = ast.Unparen(e)
		if e == ast.Unparen(r.Expr) {
			return true
		}
		id, ok := e.(*ast.Ident)
		if !ok {
			return false
		}
		list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(list) != 1 {
			return false
		}
		e = list[0].value
	}
	return false
}

// zero says whether the expression is nil, false, 0 or "".
func (s *search) zero(e ast.Expr) bool {
	tv := s.pkg.Info.Types[e]
	if tv.Value == nil {
		return tv.IsNil()
	}
	switch tv.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(tv.Value)
	case constant.String:
		return constant.StringVal(tv.Value) == ""
	case constant.Int, constant.Float:
		return constant.Sign(tv.Value) == 0
	}
	return false
}

// letOneIn says whether the end is a write that a function makes which is called, and to
// which one goroutine alone ever comes: the one that has set, in that function, another
// variable of the same object, which is set once.
func (f *finding) letOneIn(end *hit) bool {
	if end.via == nil || end.lit || end.depth > 1 {
		return false
	}
	b := f.pkg.ByFunc[f.locks.Callee(end.via)]
	if b == nil || f.states[b].occ[end.source()] == nil {
		return false
	}
	current := f.bodyState
	f.bodyState = f.states[b]
	defer func() { f.bodyState = current }()
	o := f.occ[end.source()]
	for _, mark := range f.order {
		if mark.Mode != atomicity.Write || mark.via != nil || mark.Var == o.Var || mark.place.Root != o.place.Root || f.before(o, mark) {
			continue
		}
		if look := f.foundUnset(mark); look != nil && f.finds(look, o, false) && f.setOnce(mark.Var) {
			return true
		}
	}
	return false
}
