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
)

// countedApart finds entries that are put into a map in one critical section and counted in
// another, where a third function deletes entries and counts them down in one, and the
// count decides something: what was put, deleted and counted down can still be counted up.
func (s *search) countedApart() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, put := range s.order {
		if put.Mode != atomicity.Write || put.Kind != access.MapElement || put.Method != "" || put.Update != nil || put.lit || put.later || put.depth > 1 || !put.place.Valid() || !put.Var.Obj.IsField() || s.reachOf(put) < shared.Meant {
			continue
		}
		for _, count := range s.order {
			if !s.counts(count) || !count.place.Beside(put.place) || s.oneHold(put, count) || s.oneHold(count, put) ||
				!s.leadsTo(put, count) || s.leadsTo(count, put) || direction(count) <= 0 {
				continue
			}
			for _, l := range locksOf(put.held) {
				class := locks.ClassOf(l)
				if put.held[l] != locks.Exclusive || !count.lockOf(class).Valid() || l.Root != put.place.Root {
					continue
				}
				down, in := s.countedDown(put.Var, count.Var, class)
				if down == nil || !s.countDecides(count.Var) {
					continue
				}
				c := s.direct("multivar", "multi-variable", put.source(), put.Pos(), count.Pos())
				c.Via, c.EndVia = put.via, count.via
				c.EndName = s.pkg.Name(count.Var)
				c.Roles = [2]string{"put", "counted"}
				c.Message = fmt.Sprintf("the entry is put into %s in an earlier critical section than the one that counts it in %s: %s, which deletes and counts down in one, can come in between",
					put.place, count.place, in.Name)
				s.tell(c, put, count.source())
				return
			}
		}
	}
}

// counts says whether o adds to a number of its object, under a lock of it.
func (s *search) counts(o *occurrence) bool {
	return o.Mode == atomicity.Write && o.Kind == access.Cell && !o.lit && !o.later && o.depth <= 1 && o.Var.Obj.IsField() && o.place.Valid() && o.held.Any() && o.source().Update != nil
}

// direction says whether the update adds to a number or takes from it, as x++ and x -= n do.
func direction(o *occurrence) int {
	switch stmt := o.source().Stmt.(type) {
	case *ast.IncDecStmt:
		if stmt.Tok == token.INC {
			return 1
		}
		return -1
	case *ast.AssignStmt:
		switch stmt.Tok {
		case token.ADD_ASSIGN:
			return 1
		case token.SUB_ASSIGN:
			return -1
		case token.ASSIGN:
			if len(stmt.Lhs) == 1 && len(stmt.Rhs) == 1 {
				return change(stmt.Lhs[0], stmt.Rhs[0])
			}
		}
	}
	return 0
}

// change is the direction of x = x + n and x = x - n.
func change(to, from ast.Expr) int {
	b, ok := ast.Unparen(from).(*ast.BinaryExpr)
	if !ok || types.ExprString(ast.Unparen(b.X)) != types.ExprString(to) {
		return 0
	}
	switch b.Op {
	case token.ADD:
		return 1
	case token.SUB:
		return -1
	}
	return 0
}

// countedDown is where a third function deletes entries of the map and counts down in one
// hold of a lock of the class.
func (s *search) countedDown(entries, count access.Var, class string) (*occurrence, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, del := range s.order {
			if del.Var != entries || del.source().Method != "delete" || !del.lockOf(class).Valid() {
				continue
			}
			if slices.ContainsFunc(s.order, func(o *occurrence) bool {
				return o.Var == count && s.counts(o) && direction(o) < 0 && (s.oneHold(del, o) || s.oneHold(o, del))
			}) {
				return del, b.Fn
			}
		}
	}
	return nil, nil
}

// countDecides says whether the package compares the number with something.
func (s *search) countDecides(v access.Var) bool {
	field := func(e ast.Expr) bool {
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			found = found || ok && s.variable(sel) == v.Obj
			return !found
		})
		return found
	}
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		found := false
		ast.Inspect(b.Block, func(n ast.Node) bool {
			if e, ok := n.(*ast.BinaryExpr); ok {
				switch e.Op {
				case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
					found = found || field(e.X) || field(e.Y)
				}
			}
			return !found
		})
		return found
	})
}
