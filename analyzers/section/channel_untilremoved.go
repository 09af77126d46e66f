package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// registers are the names of functions that keep what they are given and call it for
// everything that comes, removers those by which that ends.
var (
	registers = pattern.New(`^(?i:add|register|subscribe|follow|watch|listen|observe|attach|on|handle|notify)`)
	removers  = pattern.New(`^(?i:remove|unregister|deregister|unsubscribe|unfollow|unwatch|stop|off|del|detach|cancel|close)`)
)

// untilRemoved finds function literals that close a channel of the function around them,
// which registers them somewhere, waits for the channel, and only then removes them:
//
//	f := func(m Message) { if send(m) != nil { close(done) } }
//	log.AddFollower(f)
//	defer log.RemoveFollower(f)
//	<-done
//
// The literal is called for every message until it is removed, and the second close panics.
func (s *search) untilRemoved() {
	lit, ok := s.body.Node.(*ast.FuncLit)
	if !ok || s.body.Parent == nil || s.recovers() || lit.Type.Params.NumFields() == 0 {
		return
	}
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		ch := s.closeOf(ev.Node)
		if ev.Kind != accesses.OnCall || ch == nil || held.Holds(locks.Once) || s.inSelect(ev.Node) || s.remembers(block) {
			return
		}
		id, ok := ch.(*ast.Ident)
		if !ok {
			return
		}
		v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || accesses.IsGlobal(v) || lit.Pos() <= v.Pos() && v.Pos() < lit.End() || s.assignedIn(lit, v) || !s.receivesFromLocal(s.body.Parent, v) {
			return
		}
		if call := s.keptUntilRemoved(lit); call != nil && !(v.Pos() < s.body.Parent.Node.Pos()) {
			c := s.direct("testuse", "double-close", &access.Access{Var: access.Var{Obj: v}}, ev.Pos(), call.Pos())
			c.Roles = [2]string{"closed", "waited for until the function that closes it is removed"}
			c.Sure = true
			c.Message = fmt.Sprintf("%s is closed on each call that comes here, and %s goes on to call this function until it is removed: the second close panics", id.Name, types.ExprString(call.Fun))
			s.found = append(s.found, c)
		}
	})
}

// remembers says whether a condition on the way to the block asks for what outlives the
// call, as a flag does that tells of an earlier one, or calls CompareAndSwap or the like.
func (s *search) remembers(block int) bool {
	for test, conds := range s.body.Conds {
		if ok, _ := s.decides(test, block); !ok || test == block {
			continue
		}
		for _, cond := range conds {
			found := false
			ast.Inspect(cond, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					v, ok := s.pkg.Info.ObjectOf(n).(*types.Var)
					found = found || ok && !v.IsField() && v.Pos() < s.body.Node.Pos() && isBoolean(v.Type())
				case *ast.SelectorExpr:
					name := n.Sel.Name
					found = found || strings.HasPrefix(name, "CompareAndSwap") || name == "Swap" || name == "Load" || strings.HasPrefix(name, "Add") || strings.HasPrefix(name, "Load")
				}
				return !found
			})
			if found {
				return true
			}
		}
	}
	return false
}

// assignedIn says whether the node stores anything in the variable.
func (s *search) assignedIn(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			found = found || slices.ContainsFunc(a.Lhs, func(l ast.Expr) bool {
				id, ok := l.(*ast.Ident)
				return ok && s.pkg.Info.ObjectOf(id) == types.Object(v)
			})
		}
		return !found
	})
	return found
}

// receivesFromLocal says whether the body itself waits for the local channel.
func (s *search) receivesFromLocal(b *accesses.Body, v *types.Var) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			found = found || n.Op == token.ARROW && ok && s.pkg.Info.ObjectOf(id) == types.Object(v)
		}
		return !found
	})
	return found
}

// keptUntilRemoved is the call, by the function around the literal, that registers it, if
// another call of that function removes it again; or nil.
func (s *search) keptUntilRemoved(lit *ast.FuncLit) *ast.CallExpr {
	names := map[types.Object]bool{} // locals that stand for the literal, or its registration
	var at *ast.CallExpr
	stands := func(e ast.Expr) bool {
		if ast.Unparen(e) == ast.Expr(lit) {
			return true
		}
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && names[s.pkg.Info.ObjectOf(id)]
	}
	removed := false
	ast.Inspect(s.body.Parent.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				call, ok := ast.Unparen(r).(*ast.CallExpr)
				if i < len(n.Lhs) && (ast.Unparen(r) == ast.Expr(lit) || ok && registers.MatchString(calledName(call)) && slices.ContainsFunc(call.Args, stands)) {
					if id, isID := n.Lhs[i].(*ast.Ident); isID && id.Name != "_" {
						names[s.pkg.Info.ObjectOf(id)] = true
					}
				}
			}
		case *ast.CallExpr:
			name := calledName(n)
			switch {
			case registers.MatchString(name) && slices.ContainsFunc(n.Args, stands):
				at = n
			case at != nil && removers.MatchString(name):
				sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
				removed = removed || slices.ContainsFunc(n.Args, stands) || ok && stands(sel.X) || stands(n.Fun)
			}
		case *ast.FuncLit:
			return n != lit
		}
		return true
	})
	if !removed {
		return nil
	}
	return at
}

// calledName is the last part of the name of what is called.
func calledName(call *ast.CallExpr) string {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}
