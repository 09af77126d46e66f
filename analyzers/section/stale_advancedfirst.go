package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// advancedFirst finds positions that a function moves on under a lock, and goes on from in a later
// critical section, as if they were still where it has left them:
//
//	r.mu.Lock(); r.at = r.at.next; r.mu.Unlock()
//	r.mu.RLock(); visit(r.buf[r.at]) …
//
// Others move them on as well, and nothing asks for that in between.
func (s *search) advancedFirst() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.later || !w.Var.Obj.IsField() || !w.place.Valid() || !s.movesOn(w) || s.reachOf(w) < shared.Meant {
			continue
		}
		for _, r := range s.order {
			if r.Mode != atomicity.Read || r.via != nil || r.later || !r.sameInstance(w) || !s.alwaysComesFrom(w, r) || s.leadsTo(r, w) || s.oneHold(w, r) || !s.goesOnFrom(r) || s.movedBetween(w, r) {
				continue
			}
			l := r.lockOf(s.writersClass(w))
			if !l.Valid() {
				continue
			}
			if _, strong, _ := s.shared.Rivals(s.body, w.Var); !strong {
				continue
			}
			c := s.direct("testuse", "unlock-relock", w.Access, w.Pos(), r.Pos())
			c.Protected = l.String()
			c.Roles = [2]string{"moved on", "gone on from"}
			c.Message = fmt.Sprintf("another goroutine can move %s on after it was moved on and before it is gone on from here: %s is released in between", types.ExprString(w.Expr), l)
			s.tell(c, w, r.Access)
			return
		}
	}
}

// writersClass is the class of a lock that is held for writing at the write.
func (s *search) writersClass(w *occurrence) string {
	for _, l := range locksOf(w.held) {
		if w.held[l] == locks.Exclusive {
			return locks.ClassOf(l)
		}
	}
	return ""
}

// movesOn says whether the write gives a pointer or an index the next of its own values, once.
func (s *search) movesOn(w *occurrence) bool {
	if s.writersClass(w) == "" {
		return false
	}
	switch t := w.Var.Obj.Type().Underlying().(type) {
	case *types.Pointer:
		values := stored(w.Access)
		return len(values) == 1 && strings.HasPrefix(types.ExprString(ast.Unparen(values[0])), types.ExprString(w.Expr)+".")
	case *types.Basic:
		if t.Info()&types.IsInteger == 0 {
			return false
		}
		if direction(w) > 0 {
			return true
		}
		values := stored(w.Access)
		return len(values) == 1 && strings.Contains(types.ExprString(values[0]), types.ExprString(w.Expr)+" + 1")
	}
	return false
}

// goesOnFrom says whether the body uses what r reads as a position: it calls a method of it, or
// takes the element there.
func (s *search) goesOnFrom(r *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && ast.Unparen(sel.X) == r.Expr && s.pkg.Info.Selections[sel] != nil {
				found = true
			}
		case *ast.IndexExpr:
			if in := n.Index; in.Pos() <= r.Expr.Pos() && r.Expr.End() <= in.End() && !isMap(s.pkg.Info.TypeOf(n.X)) {
				found = true
			}
		}
		return !found
	})
	return found
}

// movedBetween says whether the position is set once more between the two.
func (s *search) movedBetween(w, r *occurrence) bool {
	for _, o := range s.order {
		if o != w && o != r && o.Mode == atomicity.Write && o.sameInstance(w) && s.leadsTo(w, o) && s.leadsTo(o, r) {
			return true
		}
	}
	return false
}
