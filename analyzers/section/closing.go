package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// closing finds select statements that close a channel when it is not closed
// yet: two goroutines can both come to the default case. The spec cannot
// express such a sequence, since no variable changes; it is a diagnostic only.
func (s *search) closing() {
	held := map[*ast.CallExpr]locks.Set{}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, now locks.Set) {
		if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
			held[call] = now
		}
	})
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			received, closed := s.closedByDefault(n)
			if closed == nil {
				return true
			}
			if now, reached := held[closed]; reached && len(now) == 0 {
				s.doubleClose(received, closed)
			}
		}
		return true
	})
}

// closedByDefault matches select { case <-ch: …; default: …; close(ch) }.
func (s *search) closedByDefault(n *ast.SelectStmt) (ast.Expr, *ast.CallExpr) {
	received := map[accesses.Place]ast.Expr{}
	var fallback []ast.Stmt
	for _, clause := range n.Body.List {
		comm, ok := clause.(*ast.CommClause)
		if !ok {
			continue
		}
		if comm.Comm == nil {
			fallback = comm.Body
			continue
		}
		var e ast.Expr
		switch c := comm.Comm.(type) {
		case *ast.ExprStmt:
			e = c.X
		case *ast.AssignStmt:
			e = c.Rhs[0]
		}
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			if pl := s.pkg.PlaceOf(u.X); pl.Valid() {
				received[pl] = u.X
			}
		}
	}
	for _, stmt := range fallback {
		x, ok := stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := x.X.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			continue
		}
		if id, ok := call.Fun.(*ast.Ident); ok {
			if b, ok := s.pkg.Info.Uses[id].(*types.Builtin); ok && b.Name() == "close" {
				if e := received[s.pkg.PlaceOf(call.Args[0])]; e != nil {
					return e, call
				}
			}
		}
	}
	return nil, nil
}

func (s *search) doubleClose(received ast.Expr, closed *ast.CallExpr) {
	c := &Candidate{
		Package:  s.pkg.Types.Path(),
		Name:     types.ExprString(received),
		Pattern:  atomicity.TestAndUse,
		Category: "double-close",
		Shared:   true,
		Pos:      received.Pos(),
		EndPos:   closed.Pos(),
	}
	for _, o := range s.order {
		switch o.Expr {
		case ast.Unparen(received):
			c.Entry, c.Variable = o.Access, o.Var
		case ast.Unparen(closed.Args[0]):
			c.Ends = append(c.Ends, o.Access)
		}
	}
	if c.Entry == nil || len(c.Ends) == 0 {
		return // a local channel that no other goroutine has
	}
	reach := s.shared.Reach(s.body, c.Entry)
	if reach == shared.Private {
		return
	}
	c.Name = s.pkg.Name(c.Variable)
	c.Type = types.TypeString(c.Variable.Obj.Type(), types.RelativeTo(s.pkg.Types))
	c.Sure = s.shared.Launched(s.body) || s.shared.Entered(s.body)
	c.Message = fmt.Sprintf("two goroutines can both find %s open and close it twice: select and close are two operations", types.ExprString(received))
	s.found = append(s.found, c)
}
