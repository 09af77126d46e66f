package section

import (
	"go/ast"
	"go/types"
)

// closedAsserted says whether the package asks what the variable holds whether it can be closed, and closes it then:
// of two that are stored one is never closed, though its type does not tell.
//
//	if c, ok := f.reader.(io.Closer); ok { c.Close() }
func (s *search) closedAsserted(v *types.Var) bool {
	if s.asserted == nil {
		s.asserted = map[*types.Var]bool{}
		for _, b := range s.pkg.Bodies {
			s.inState(b, s.noteAsserted)
		}
	}
	return s.asserted[v]
}

// noteAsserted notes the variables whose values the body asserts to be what has a method Close, which it calls.
func (s *search) noteAsserted() {
	closers := map[types.Object]*types.Var{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if len(n.Rhs) != 1 {
				break
			}
			a, ok := ast.Unparen(n.Rhs[0]).(*ast.TypeAssertExpr)
			id, isIdent := n.Lhs[0].(*ast.Ident)
			if !ok || a.Type == nil || !isIdent || s.pkg.Info.ObjectOf(id) == nil {
				break
			}
			x := ast.Unparen(a.X)
			if from, ok := x.(*ast.Ident); ok && len(s.values.assigns[s.pkg.Info.ObjectOf(from)]) == 1 {
				x = s.values.assigns[s.pkg.Info.ObjectOf(from)][0].value
			}
			for _, read := range s.values.reads[ast.Unparen(x)] { // itself, or by a getter
				if read.Var.Obj.IsField() && !read.Var.Contents {
					closers[s.pkg.Info.ObjectOf(id)] = read.Var.Obj
				}
			}
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Close" {
				break
			}
			if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && closers[s.pkg.Info.ObjectOf(id)] != nil {
				s.asserted[closers[s.pkg.Info.ObjectOf(id)]] = true
			}
		}
		return true
	})
}
