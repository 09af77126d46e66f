package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// spinsStale finds loops that try a swap until it succeeds, from a value which they have loaded
// before the first turn and never load again:
//
//	old := s.peak.Load()
//	for n > old {
//		if s.peak.CompareAndSwap(old, n) {
//			break
//		}
//	}
//
// If another goroutine stores a value after the load, the swap fails in each turn, and the loop never ends.
func (s *search) spinsStale() {
	for _, swap := range s.order {
		if swap.Kind != access.Atomic || swap.via != nil || swap.Mode != atomicity.Write || !strings.HasPrefix(swap.Method, "CompareAndSwap") || swap.held.Any() || !swap.place.Valid() {
			continue
		}
		if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
			return
		}
		values := stored(swap.Access)
		if len(values) != 2 || !s.leadsTo(swap, swap) || s.reachOf(swap) == shared.Private {
			continue
		}
		loop := s.triesUntil(swap.Expr)
		if loop == nil || s.renewedIn(loop, values[0]) || s.renewedIn(loop, swap.Cell) {
			continue
		}
		for _, look := range s.order {
			if look.Kind != access.Atomic || look.Mode != atomicity.Read || rmw(look.Access) || look.place != swap.place || look.Pos() > loop.Pos() {
				continue
			}
			if _, from := s.values.of(values[0])[look.Access]; !from {
				continue
			}
			c := s.direct("testuse", "atomic-check-then-act", look.source(), look.Pos(), swap.Pos())
			c.Name = s.pkg.Name(swap.Var)
			if look.via != nil {
				c.Via, c.Within = look.via, look.where()
			}
			c.Message = fmt.Sprintf("if another goroutine changes %s after it is loaded here, the swap fails in each turn of the loop, which goes on for ever: nothing loads it again",
				types.ExprString(swap.Cell))
			s.tell(c, look, swap.Access)
			break
		}
	}
}

// triesUntil is the innermost loop around the call of the swap, if it is left when the swap succeeds and
// goes on otherwise; or nil.
func (s *search) triesUntil(call ast.Expr) (loop *ast.ForStmt) {
	isNot := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.UnaryExpr)
		return ok && x.Op == token.NOT && ast.Unparen(x.X) == ast.Unparen(call)
	}
	until := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || n.End() <= call.Pos() || n.Pos() >= call.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.RangeStmt:
			loop, until = nil, false
		case *ast.ForStmt:
			loop, until = n, n.Cond != nil && isNot(n.Cond)
		case *ast.IfStmt:
			if loop == nil || len(n.Body.List) == 0 {
				break
			}
			switch last := n.Body.List[len(n.Body.List)-1].(type) {
			case *ast.ReturnStmt:
				until = until || ast.Unparen(n.Cond) == ast.Unparen(call)
			case *ast.BranchStmt:
				until = until || ast.Unparen(n.Cond) == ast.Unparen(call) && last.Tok == token.BREAK || isNot(n.Cond) && last.Tok == token.CONTINUE
			}
		case *ast.SwitchStmt, *ast.SelectStmt, *ast.TypeSwitchStmt:
			loop = nil // what a break leaves is another matter
		}
		return true
	})
	if !until {
		return nil
	}
	return loop
}

// renewedIn says whether a local that the expression names is declared in the loop, or given
// another value there, or its address is taken somewhere.
func (s *search) renewedIn(loop ast.Node, e ast.Expr) bool {
	changes := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return !changes
		}
		v, isVar := s.pkg.Info.ObjectOf(id).(*types.Var)
		if !isVar || v.IsField() {
			return true
		}
		changes = changes || loop.Pos() <= v.Pos() && v.Pos() < loop.End() || s.setIn(loop, v)
		return !changes
	})
	return changes
}

// setIn says whether the node sets the variable, or a part of it, or the body takes its address.
func (s *search) setIn(node ast.Node, v *types.Var) bool {
	is := func(e ast.Expr) bool {
		id, ok := baseOf(e).(*ast.Ident)
		return ok && s.pkg.Info.ObjectOf(id) == types.Object(v)
	}
	set := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if x, ok := n.(*ast.UnaryExpr); ok && x.Op == token.AND {
			set = set || identOf(x.X) != nil && is(x.X)
		}
		return !set
	})
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				set = set || is(l)
			}
		case *ast.IncDecStmt:
			set = set || is(n.X)
		case *ast.RangeStmt:
			set = set || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		}
		return !set
	})
	return set
}
