package section

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// forgets says whether the end resets an atomic variable by which others ask for
// something, whatever the entry has found there, and what the entry has found decides
// afterwards whether it is done: wanted := x.wanted.Load(); x.wanted.Store(false);
// if wanted { … }. What is asked for in between is never done.
func (f *finding) forgets(end *hit) bool {
	tests := f.testsOf(f.entry.Access, true)
	if f.entry.Kind != access.Atomic || len(end.kept) > 0 || f.decided(tests, end.block) || !f.asksFor(f.entry.Var) {
		return false
	}
	return slices.ContainsFunc(tests, func(test int) bool {
		at := &occurrence{Access: &access.Access{}, block: test, index: len(f.body.Events[test])}
		return f.leadsTo(end.occurrence, at) && len(f.body.CFG.Blocks[test].Succs) == 2 &&
			(f.doesElse(test, 0) || f.doesElse(test, 1))
	})
}

// doesElse says whether the code that only this edge of the test leads to does something
// that can be noticed, other than to store in the entry's variable again, as who
// restores its value does.
func (f *finding) doesElse(test, edge int) bool {
	if !f.does(test, edge, nil) {
		return false
	}
	succs := f.body.CFG.Blocks[test].Succs
	mine, other := f.reaches(succs[edge], test), f.reaches(succs[1-edge], test)
	return !slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return o.Var == f.entry.Var && o.Mode == atomicity.Write && o.via == nil && mine[o.block] && !other[o.block]
	})
}

// asksFor says whether another function stores something other than zero in the
// variable, without a look at what is there: it asks, and does not count on being alone.
func (s *search) asksFor(v access.Var) bool {
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			return false
		}
		asks := false
		for _, o := range s.states[b].order {
			switch {
			case o.Var != v || o.via != nil:
			case o.Mode == atomicity.Read, rmw(o.Access):
				return false
			default:
				values := stored(o.Access)
				asks = asks || (o.Kind == access.Cell || strings.HasPrefix(o.Method, "Store")) && len(values) == 1 && !s.unsets(values[0])
			}
		}
		return asks
	})
}

// unsets says whether e is false, or what isZero calls zero.
func (s *search) unsets(e ast.Expr) bool {
	tv := s.pkg.Info.Types[e]
	if tv.Value != nil && tv.Value.Kind() == constant.Bool {
		return !constant.BoolVal(tv.Value)
	}
	return (&finding{search: s}).isZero(e)
}

// wipes says whether the end takes back what others ask for, once it has been done: what
// they ask for while it is done is never done. Against that it does not help that one
// goroutine alone comes here, as it does against doing it twice.
func (f *finding) wipes(end *hit) bool {
	values := stored(end.Access)
	if f.entry.via != nil || end.via != nil || end.Update != nil || len(values) != 1 || !f.unsets(values[0]) || !f.claims(end) || !f.asksFor(f.entry.Var) {
		return false
	}
	done := false
	f.locks.Walk(f.body, func(block, index int, ev accesses.Event, _ locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || call == end.Expr || len(f.locks.Ops(ev)) > 0 || f.harmless(call) {
			return
		}
		at := &occurrence{Access: &access.Access{}, block: block, index: index}
		if ends.MatchString(types.ExprString(call.Fun)) {
			return // it tells of what is there, and is no request
		}
		done = done || f.decided(f.trail.tests, block) && f.leadsTo(at, end.occurrence) && f.before(ev, end)
	})
	return done
}
