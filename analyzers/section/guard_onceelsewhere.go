package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// onceElsewhere finds what a function that runs in one sync.Once tests of its object while all that
// write it run in another one:
//
//	b.openOnce.Do(func() { b.feed = subscribe() })
//	b.closeOnce.Do(func() { if b.feed != nil { b.feed.Close() } })
//
// Neither waits for the other: what is opened meanwhile is never closed.
func (s *search) onceElsewhere() {
	mine := s.onceOf(s.body)
	if mine == nil || !s.shared.Entered(s.body) {
		return
	}
	for _, o := range s.order {
		if o.via != nil || o.Mode != atomicity.Read || o.Kind != access.Cell || !o.Var.Obj.IsField() || len(locksOf(o.held)) > 0 || s.reachOf(o) == shared.Private || len(s.testsOf(o.Access, true)) == 0 {
			continue
		}
		var writer *occurrence
		var in *accesses.Body
		var other *types.Var
		only := true
		for _, k := range s.ownAccesses(o.Var) {
			if k.Mode != atomicity.Write {
				continue
			}
			once := s.onceOf(k.body)
			if once == nil || once == mine || len(locksOf(k.held)) > 0 || other != nil && once != other {
				only = false
				break
			}
			writer, in, other = k.occurrence, k.body, once
		}
		if !only || writer == nil || in.Outermost() == s.body.Outermost() || !s.shared.Entered(in) || s.runsOnceBefore(other) {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), writer.Pos())
		c.Roles = [2]string{"tested in one Once", "set in another"}
		c.Message = fmt.Sprintf("%s is tested here in %s, while %s sets it in %s: neither waits for the other, and what is set afterwards is not seen",
			types.ExprString(o.Expr), mine.Name(), in.Outermost().Fn.Name, other.Name())
		s.tell(c, o, writer.Access)
		return
	}
}

// onceOf is the field, a sync.Once, by which the literal that the body is of is run; or nil.
func (s *search) onceOf(b *accesses.Body) *types.Var {
	lit, ok := b.Node.(*ast.FuncLit)
	if !ok || b.Parent == nil {
		return nil
	}
	var once *types.Var
	ast.Inspect(b.Parent.Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || ast.Unparen(call.Args[0]) != ast.Expr(lit) {
			return once == nil
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if fn := s.locks.Callee(call); ok && fn != nil && fn.FullName() == "(*sync.Once).Do" {
			once = s.variable(sel.X)
		}
		return once == nil
	})
	return once
}

// runsOnceBefore says whether the function that the body lies in uses the other Once as well.
func (s *search) runsOnceBefore(once *types.Var) bool {
	found := false
	ast.Inspect(s.body.Outermost().Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			found = ok && sel.Sel.Name == "Do" && s.variable(sel.X) == once
		}
		return !found
	})
	return found
}
