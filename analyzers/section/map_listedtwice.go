package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
)

// listedTwice finds values of a sync.Map that are loaded, handed on to where each is expected once, as by append to
// a list of the object or a send on a channel of it, and only then deleted:
//
//	if v, ok := x.open.Load(id); ok {
//		x.mu.Lock(); x.done = append(x.done, v.(*job)); x.mu.Unlock()
//	}
//	x.open.Delete(id)
//
// Two who come with one key both find the value, and it is in the list twice. A lock around the list does not help.
func (s *search) listedTwice() {
	if s.recovers() || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Several(s.body) {
		return
	}
	for _, look := range s.order {
		if look.Kind != access.SyncMap || look.Method != "Load" || look.via != nil || look.lit || look.Key == nil || look.held.Any() || s.reachOf(look) == shared.Private || s.madeHere(look.Key) {
			continue
		}
		gone := s.takenOutLater(look)
		if gone == nil || gone.via != nil || gone.Method != "Delete" || gone.key != look.key || gone.place != look.place || gone.held.Any() || !s.writtenByOthers(look) || s.toldOf(look) {
			continue
		}
		to := s.putOnce(look, gone)
		if to == nil {
			continue
		}
		c := s.direct("testuse", "sync-map", look.Access, look.Pos(), gone.Pos())
		c.Roles = [2]string{"loaded", "deleted"}
		c.Message = fmt.Sprintf("two goroutines can both load %s before either deletes it, and both put it into %s: LoadAndDelete gives it to one of them",
			s.pkg.Name(look.Var), types.ExprString(to))
		s.tell(c, look, gone.Access)
		return
	}
}

// putOnce is the list or channel, in a field or of the package, into which what was loaded, or a part of it, is put between the two.
func (s *search) putOnce(look, gone *occurrence) (to ast.Expr) {
	is := func(e ast.Expr) bool {
		_, mine := s.values.of(e)[look.Access]
		return mine && !isBoolean(s.pkg.Info.TypeOf(e))
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || to != nil || n.Pos() > gone.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SendStmt:
			if v := s.variable(n.Chan); v != nil && n.Pos() > look.Pos() && is(n.Value) {
				to = n.Chan
			}
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN || len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Pos() < look.Pos() || s.variable(n.Lhs[0]) == nil {
				break
			}
			if call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr); ok && s.isBuiltin(call, "append") && s.variable(call.Args[0]) == s.variable(n.Lhs[0]) && slices.ContainsFunc(call.Args[1:], is) {
				to = n.Lhs[0]
			}
		}
		return to == nil
	})
	return to
}

// madeHere says whether the key is one that the body has made or received itself, and so nobody else comes with it.
func (s *search) madeHere(key ast.Expr) bool {
	id := identOf(key)
	if id == nil {
		return false
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || accesses.IsGlobal(v) || hasParameter(s.body.Type(s.pkg.Info), v) {
		return false
	}
	list := s.values.assigns[v]
	return len(list) != 1 || !s.givenPart(list[0].value)
}

// givenPart says whether the expression is a parameter of the body, or a part of one.
func (s *search) givenPart(e ast.Expr) bool {
	x, _ := partOf(e)
	id := identOf(x)
	if id == nil {
		return false
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	return ok && hasParameter(s.body.Type(s.pkg.Info), v)
}
