package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// givenUp is the map into which the body has put, under a lock, the channel that it has made, and which it closes at the call
// because it does not wait for an answer any longer:
//
//	s.mu.Lock()
//	s.waiting[id] = c
//	s.mu.Unlock()
//	select {
//	case r := <-c:
//		return r, nil
//	case <-ctx.Done():
//		close(c)
//		return nil, ctx.Err()
//	}
//
// Who has taken the channel off the map by then, and released the lock, sends on a closed one. That is not so once
// the answer has come.
func (s *search) givenUp(ch ast.Expr, call ast.Node) *access.Var {
	id := identOf(ch)
	if id == nil {
		return nil
	}
	v := s.pkg.Info.ObjectOf(id)
	if len(s.values.assigns[v]) != 1 || !s.closedUnanswered(v, call) {
		return nil
	}
	if made, ok := ast.Unparen(s.values.assigns[v][0].value).(*ast.CallExpr); !ok || !s.isBuiltin(made, "make") {
		return nil
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.MapElement || w.via != nil || !w.held.Any() {
			continue
		}
		if values := stored(w.Access); len(values) == 1 && s.isVar(values[0], v) {
			return &w.Var
		}
	}
	return nil
}

func (s *search) isVar(e ast.Expr, v types.Object) bool {
	id := identOf(e)
	return id != nil && s.pkg.Info.ObjectOf(id) == v
}

// closedUnanswered says whether the call stands in an arm of a select of the body which receives something else than another arm, that of
// the channel; or whether it is deferred, and the arm leaves the function.
func (s *search) closedUnanswered(ch types.Object, call ast.Node) bool {
	deferred := slices.ContainsFunc(s.body.Block.List, func(st ast.Stmt) bool {
		d, ok := st.(*ast.DeferStmt)
		return ok && ast.Node(d.Call) == call
	})
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok {
			_, isLit := n.(*ast.FuncLit)
			return !isLit && !found
		}
		answered, left := false, false
		for _, clause := range sel.Body.List {
			comm := clause.(*ast.CommClause)
			from := received(comm)
			switch {
			case from == nil:
			case s.isVar(from, ch):
				answered = true
			case deferred:
				left = left || leavesForGood(comm.Body)
			default:
				left = left || slices.ContainsFunc(comm.Body, func(st ast.Stmt) bool { return inNode(st, call) }) && !s.receivesIn(comm, ch)
			}
		}
		found = answered && left
		return !found
	})
	return found
}

// receivesIn says whether the arm waits for the answer after all.
func (s *search) receivesIn(comm *ast.CommClause, ch types.Object) bool {
	return slices.ContainsFunc(comm.Body, func(st ast.Stmt) bool {
		again := false
		ast.Inspect(st, func(n ast.Node) bool {
			u, ok := n.(*ast.UnaryExpr)
			again = again || ok && u.Op == token.ARROW && s.isVar(u.X, ch)
			return !again
		})
		return again
	})
}
