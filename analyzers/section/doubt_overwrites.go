package section

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// overwritesState says whether the end stores an atomic state because the entry has found
// another one, while a function that another goroutine runs stores a third, whatever it
// finds: that is lost if it comes in between, even where one goroutine alone tests.
//
//	if n.role.Load() != candidate { return }
//	n.role.Store(leader)                        // and StepDown: n.role.Store(follower)
func (f *finding) overwritesState(end *hit) bool { return f.thirdStored(end) != nil }

// thirdStored is that function; or nil.
func (f *finding) thirdStored(end *hit) *accesses.Body {
	to := f.stateGiven(end.occurrence)
	if to == nil {
		return nil
	}
	from, is := f.stateFound(end)
	over := from == nil || overState.MatchString(constName(to))
	if from == nil {
		from = f.stateLeft(end)
	}
	if from == nil {
		return nil
	}
	current := f.bodyState
	defer func() { f.search.bodyState = current }()
	back := func(third ast.Expr) bool {
		there := f.bodyState
		defer func() { f.search.bodyState = there }()
		f.search.bodyState = current
		return f.goesBack(end, from, to, third, is)
	}
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || f.shared.Constructing(b) {
			continue
		}
		f.search.bodyState = f.states[b]
		for _, w := range f.order {
			third := f.stateGiven(w)
			if w.Var != end.Var || third == nil || w.depth > 1 || w.later || w.held.Any() && end.held.Any() || f.sameConstant(third, to) || is && f.sameConstant(third, from) || over && (!f.shared.Entered(current.body) && f.waitedBefore(w) || !back(third)) || f.asksFirst(w) {
				continue
			}
			if f.afterItsEnd(w, current.body, end.occurrence) {
				continue
			}
			if _, strong, _ := f.shared.RivalsAmong(current.body, end.Var, map[*accesses.Body]bool{b: true}); strong {
				return b
			}
		}
	}
	return nil
}

// stateGiven is the named constant that w stores into an atomic variable, itself or through a
// setter; or nil.
func (s *search) stateGiven(w *occurrence) ast.Expr {
	v := s.givenTo(w)
	if v == nil || w.Kind != access.Atomic || rmw(w.source()) || indivisible(w.source()) {
		return nil
	}
	return s.stateConstant(v)
}

// stateFound is the constant with which the test compares what the entry has read, and
// whether it was equal where control comes to the end.
func (f *finding) stateFound(end *hit) (from ast.Expr, is bool) {
	for _, test := range f.trail.tests {
		decides, edge := f.decides(test, end.block)
		if !decides || f.trail.weak[test] || len(f.body.Conds[test]) != 1 {
			continue
		}
		b, ok := ast.Unparen(f.body.Conds[test][0]).(*ast.BinaryExpr)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ {
			continue
		}
		for _, side := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if v := f.stateConstant(side[1]); v != nil && f.values.of(side[0])[f.entry.Access] {
				return v, (b.Op == token.EQL) == (edge == 0)
			}
		}
	}
	return nil, false
}

// asksFirst says whether a look of the same body at the variable decides about w.
func (s *search) asksFirst(w *occurrence) bool {
	for _, o := range s.order {
		if o.Var == w.Var && o.Access != w.Access && (o.Mode == atomicity.Read || rmw(o.Access)) && s.leadsTo(o, w) && s.decided(s.testsOf(o.Access, false), w.block) {
			return true
		}
	}
	return false
}
