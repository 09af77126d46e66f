package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// lastOut finds functions that take something out under a lock, see that nothing is left,
// and act on that after they have released the lock, while others put something in under
// it: what ends with the last one is ended under the feet of the next.
func (s *search) lastOut() {
	around := s.body.Outermost() // a literal that is handed out is called by those who have got it
	if !s.shared.Launched(around) && !s.shared.Entered(around) && !s.shared.Spawned(s.body) {
		return
	}
	if !slices.ContainsFunc(s.order, func(w *occurrence) bool { return w.Method == "delete" }) {
		return
	}
	for _, look := range s.order {
		if look.Mode != atomicity.Read || look.via != nil || !look.place.Valid() || !look.Var.Obj.IsField() || look.Kind == access.Atomic || s.reachOf(look) == shared.Private {
			continue
		}
		lock := s.takenOutUnder(look)
		if !lock.Valid() {
			continue
		}
		act := s.actsWhenEmpty(look, lock)
		if act == nil {
			continue
		}
		in := s.growsUnder(look.Var, locks.ClassOf(lock))
		if in == nil {
			continue
		}
		c := s.direct("testuse", "use-after-unlock", look.Access, look.Pos(), act.Pos())
		c.Roles = [2]string{"found empty", "acted upon"}
		c.Message = fmt.Sprintf("%s can add to %s once %s is released here and before %s is called because it was empty", in.Name, types.ExprString(look.Cell), lock, types.ExprString(act.Fun))
		s.tell(c, look, look.Access)
		return
	}
}

// takenOutUnder is the lock under which the body has taken something out of the variable
// before it looks, in the same hold.
func (s *search) takenOutUnder(look *occurrence) accesses.Place {
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Var.Obj != look.Var.Obj || w.place != look.place || w.via != nil || w.Pos() > look.Pos() || w.Method != "delete" && direction(w) >= 0 {
			continue
		}
		for _, l := range w.held.Places() {
			if w.held[l] == locks.Exclusive && l.Root == look.place.Root && look.held[l] == locks.Exclusive && s.oneHold(w, look) {
				return l
			}
		}
	}
	return accesses.Place{}
}

// onlyWakens says whether the function's name says that it wakes somebody, who looks for himself.
func onlyWakens(fn *types.Func) bool { return fn != nil && waking.MatchString(fn.Name()) }

var waking = pattern.New(`(?i)^(signal|notify|wake|nudge|poke|kick)(up|all|loop|waiters?)?$`)

// actsWhenEmpty is a call that does something, made without the lock because look has
// found nothing; nil if there is none, or the variable is looked at again before.
func (s *search) actsWhenEmpty(look *occurrence, lock accesses.Place) *ast.CallExpr {
	for _, test := range s.testsOf(look.Access, true) {
		edge := s.emptyEdge(test, look)
		if edge < 0 {
			continue
		}
		succs := s.body.CFG.Blocks[test].Succs
		mine, other := s.reaches(succs[edge], test), s.reaches(succs[1-edge], test)
		var act *ast.CallExpr
		again := false
		f := finding{search: s, entry: look}
		s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
			if !mine[block] || other[block] {
				return
			}
			if ev.Access != nil && ev.Access.Var == look.Var {
				again = true
			}
			if a := ev.Access; a != nil && act == nil && a.Method == "delete" && a.Var.Obj != look.Var.Obj && held.Excludes() && !sharesAny(held, look.held) {
				act, _ = ast.Unparen(a.Expr).(*ast.CallExpr) // the object itself is taken out of where it is kept
			}
			if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && act == nil && !isNumber(look.Var) && !held.Holds(lock) && !held.Any() && len(s.locks.Ops(ev)) == 0 && !f.harmless(call) && !onlyWakens(s.locks.Callee(call)) {
				act = call
			}
		})
		if act != nil && !again {
			return act
		}
	}
	return nil
}

// sharesAny says whether one lock is held in both.
func sharesAny(a, b locks.Set) bool {
	for l := range a {
		if _, also := b[l]; also {
			return true
		}
	}
	return false
}

// emptyEdge is the edge of the branch that is taken when the look has found zero, or -1.
func (s *search) emptyEdge(test int, look *occurrence) int {
	for _, cond := range s.body.Conds[test] {
		if edge := s.emptyIn(cond, look); edge >= 0 {
			return edge
		}
	}
	return -1
}

func (s *search) emptyIn(cond ast.Expr, look *occurrence) int {
	if id, ok := ast.Unparen(cond).(*ast.Ident); ok {
		list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(list) != 1 || list[0].at > s.pkg.Order(cond.Pos()) {
			return -1
		}
		cond = list[0].value // empty := len(m) == 0
	}
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return -1
	}
	if b.Op == token.LAND { // both, where the branch is taken
		if s.emptyIn(b.X, look) == 0 || s.emptyIn(b.Y, look) == 0 {
			return 0
		}
		return -1
	}
	_, mine := s.values.of(b.X)[look.Access]
	if tv := s.pkg.Info.Types[b.Y]; !mine || tv.Value == nil || tv.Value.String() != "0" {
		return -1
	}
	switch b.Op {
	case token.EQL, token.LEQ:
		return 0
	case token.NEQ, token.GTR:
		return 1
	}
	return -1
}

// growsUnder is a function other than the body's that adds to the variable under a lock
// of the class, or hands its address to one that may.
func (s *search) growsUnder(v access.Var, class string) *access.Function {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b == current.body || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, o := range s.order {
			if o.Var.Obj == v.Obj && o.Mode == atomicity.Write && o.via == nil && o.lockOf(class).Valid() && s.isGrowth(o) {
				return b.Fn
			}
		}
		if s.handsAddress(v, class) {
			return b.Fn
		}
	}
	return nil
}

// handsAddress says whether the body calls a function with the address of the variable,
// and a lock of the class held.
func (s *search) handsAddress(v access.Var, class string) bool {
	found := false
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || found {
			return
		}
		for _, a := range call.Args {
			u, ok := ast.Unparen(a).(*ast.UnaryExpr)
			if !ok || u.Op != token.AND || s.variable(u.X) != v.Obj {
				continue
			}
			for l, m := range held {
				found = found || m == locks.Exclusive && locks.ClassOf(l) == class
			}
		}
	})
	return found
}
