package section

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// letInLate is uncounted for those that count themselves in an atomic variable:
//
//	if s.closing.Load() { return errClosing }
//	s.calls.Add(1)           // Close: s.closing.Store(true); for s.calls.Load() > 0 { … }
//	defer s.calls.Add(-1)
//
// Whoever sets the flag and then finds nobody counted goes on to end what the call uses. It is right to
// count first, and to look then.
func (s *search) letInLate() {
	if s.shared.Constructing(s.body) || !s.shared.Entered(s.body) && !s.shared.Begins(s.body) {
		return
	}
	for _, up := range s.order {
		call, ok := ast.Unparen(up.Expr).(*ast.CallExpr)
		if !ok || up.Kind != access.Atomic || up.Mode != atomicity.Write || up.via != nil || up.lit || !strings.HasPrefix(up.Method, "Add") || !up.Var.Obj.IsField() ||
			len(call.Args) == 0 || constSign(s.pkg.Info.Types[call.Args[len(call.Args)-1]].Value) != 1 || s.reachOf(up) < shared.Implied || inLoop(s.body.Block, call) || !s.leavesLater(up) {
			continue
		}
		on, ok := countedOn(call)
		if !ok {
			continue
		}
		add := groupCall{call: call, group: up.Var.Obj, on: on, block: up.block, index: up.index, held: up.held}
		for _, e := range s.order {
			if e.Var != up.Var && e.place.Root == up.place.Root && e.place.Root != nil && s.looksFirstAt(e, add) && s.setBeforeCount(e.Var, up.Var) {
				s.late(e, call, call, on)
				return
			}
		}
	}
}

// countedOn is the variable that the atomic operation is on: x.n of x.n.Add(1), and of
// atomic.AddInt64(&x.n, 1).
func countedOn(call *ast.CallExpr) (ast.Expr, bool) {
	if len(call.Args) == 2 {
		u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
		if !ok {
			return nil, false
		}
		return u.X, true
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	return sel.X, true
}

// leavesLater says whether the function, or a literal in it, counts down again what up counts.
func (s *search) leavesLater(up *occurrence) bool {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() != s.body.Outermost() {
			continue
		}
		for _, o := range s.states[b].order {
			call, ok := ast.Unparen(o.Expr).(*ast.CallExpr)
			if ok && o.Var == up.Var && o.Kind == access.Atomic && strings.HasPrefix(o.Method, "Add") && len(call.Args) > 0 && s.subtracts(call.Args[len(call.Args)-1]) {
				return true
			}
		}
	}
	return false
}

// subtracts says whether what is added is a negative constant, or the two's complement of one that is
// not: ^uint64(0).
func (s *search) subtracts(e ast.Expr) bool {
	if constSign(s.pkg.Info.Types[e].Value) == -1 {
		return true
	}
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.XOR
}

// setBeforeCount says whether another function sets the flag and then looks whether the count is zero, to
// go on or to wait.
func (s *search) setBeforeCount(flag, count access.Var) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for b := range s.shared.Use(flag).Writers() {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.stateOf(b)
		for _, w := range s.order {
			if w.Var != flag || w.Mode != atomicity.Write || w.via != nil || s.unsetsFlag(w) {
				continue
			}
			for _, r := range s.order {
				if r.Var == count && r.Mode == atomicity.Read && r.Kind == access.Atomic && s.leadsTo(w, r) && len(s.testsOf(r.Access, false)) > 0 {
					if _, strong, _ := s.shared.RivalsAmong(current.body, flag, map[*accesses.Body]bool{b: true}); strong {
						return true
					}
				}
			}
		}
	}
	return false
}

// unsetsFlag says whether the write stores zero or false.
func (s *search) unsetsFlag(w *occurrence) bool {
	values := stored(w.Access)
	return len(values) > 0 && s.unsets(values[len(values)-1])
}
