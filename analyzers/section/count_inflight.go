package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// inFlight says whether the body counts itself in before pos and, by a defer, out
// again: n.Add(1); defer n.Done(), or n++ and n-- of a field that somebody waits for to
// fall. Whoever ends things waits for the count.
func (s *search) inFlight(pos token.Pos) bool {
	counted := map[string]bool{}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			if x, name := methodOn(n.Call); counted[x] {
				switch name {
				case "Done", "Dec", "Add", "Sub", "Release", "Leave", "Exit":
					found = true
				}
			}
			if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
				found = found || s.countsDown(lit, counted)
			}
		case *ast.IncDecStmt:
			if n.Tok == token.INC && n.Pos() < pos && s.waitedToFall(n.X) {
				counted[types.ExprString(n.X)] = true
			}
		case *ast.CallExpr:
			if x, name := methodOn(n); n.Pos() < pos {
				switch name {
				case "Add", "Inc", "Acquire", "Enter":
					counted[x] = true
				}
				for _, field := range s.countedBy(s.locks.Callee(n)) {
					counted[x+field] = true
				}
			}
		}
		return !found
	})
	return found
}

// countsDown says whether the literal counts one of the counted down by n--.
func (s *search) countsDown(lit *ast.FuncLit, counted map[string]bool) bool {
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if dec, ok := n.(*ast.IncDecStmt); ok && dec.Tok == token.DEC {
			found = found || counted[types.ExprString(dec.X)]
		}
		return !found
	})
	return found
}

// waitedToFall says whether the expression is a field that some loop of the package waits for:
// for x.n > 0 { x.cond.Wait() }.
func (s *search) waitedToFall(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if s.fallsAwaited == nil {
		s.fallsAwaited = map[types.Object]bool{}
		for _, b := range s.pkg.Bodies {
			s.awaitedFalls(b)
		}
	}
	return s.fallsAwaited[s.pkg.Info.ObjectOf(sel.Sel)]
}

// awaitedFalls keeps what the conditions of those loops name that wait in their bodies.
func (s *search) awaitedFalls(b *accesses.Body) {
	ast.Inspect(b.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.ForStmt)
		if !ok || loop.Cond == nil {
			return true
		}
		waits := false
		ast.Inspect(loop.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				_, name := methodOn(call)
				waits = waits || name == "Wait"
			}
			return !waits
		})
		if waits {
			ast.Inspect(loop.Cond, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) != nil {
					s.fallsAwaited[s.pkg.Info.ObjectOf(id)] = true
				}
				return true
			})
		}
		return true
	})
}

// methodOn splits the call of a method, or of a function of sync/atomic on an
// address, into what it is called on and its name.
func methodOn(call *ast.CallExpr) (on, name string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	if len(call.Args) > 0 {
		if u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && u.Op == token.AND && strings.HasPrefix(sel.Sel.Name, "Add") {
			return types.ExprString(u.X), "Add"
		}
	}
	return types.ExprString(sel.X), sel.Sel.Name
}

// countedBy are the fields of its receiver, WaitGroups that somebody waits for before a close, which a
// method of the package counts its caller into: if !x.enter() { return }; defer x.active.Done().
func (s *search) countedBy(fn *types.Func) (fields []string) {
	b := s.pkg.ByFunc[fn]
	if b == nil || fn.Signature().Recv() == nil {
		return nil
	}
	for _, events := range b.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			group := s.ofWaitGroup(call, "Add")
			if group.Root == types.Object(fn.Signature().Recv()) && group.Field() != nil && s.waitsThenCloses(group.Field()) {
				fields = append(fields, group.Path)
			}
		}
	}
	return fields
}

// waitsThenCloses says whether a body of the package waits for the WaitGroup before it closes a
// channel.
func (s *search) waitsThenCloses(group *types.Var) bool {
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		type event struct{ block, index int }
		var closes []event
		for block, events := range b.Events {
			for index, ev := range events {
				if x := s.closeOf(ev.Node); x != nil && ev.Kind == accesses.OnCall {
					closes = append(closes, event{block, index})
				}
			}
		}
		for block, events := range b.Events {
			for index, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall || len(closes) == 0 {
					continue
				}
				if at := s.ofWaitGroup(call, "Wait"); at.Field() == group && slices.ContainsFunc(closes, func(c event) bool { return always(b, block, index, c.block, c.index) }) {
					return true
				}
			}
		}
		return false
	})
}
