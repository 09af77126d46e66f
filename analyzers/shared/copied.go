package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// copied says whether a is about a field of an object that the body has made a copy of for
// itself, on every way to a, whatever the variable referred to before: cfg = cfg.Clone().
// What is behind a pointer or in a map may be that of the original.
func (r *Result) copied(b *accesses.Body, a *access.Access) bool {
	if a.Base == nil || a.Var.Contents || r.captured[a.Base] > Private {
		return false
	}
	if sel, ok := ast.Unparen(a.Cell).(*ast.SelectorExpr); !ok || !r.names(sel.X, a.Base) {
		return false
	}
	own, known := r.copies[b]
	if !known {
		own = r.findCopies(b)
		r.copies[b] = own
	}
	at, ok := own[a.Base]
	return ok && at.from <= a.Pos() && a.Pos() < at.to
}

// span is where a variable refers to a copy.
type span struct{ from, to token.Pos }

// findCopies finds the variables that the body makes copies, and from where to where they are
// that: from the last statement that assigns to them to the end of its block, or to where they
// are kept in something else, s.cfg = cfg.
func (r *Result) findCopies(b *accesses.Body) map[types.Object]span {
	last, kept := map[types.Object]*ast.AssignStmt{}, map[types.Object][]token.Pos{}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range s.Lhs {
			id, isName := ast.Unparen(l).(*ast.Ident)
			switch {
			case isName:
				last[r.pkg.Info.ObjectOf(id)] = s
			case i < len(s.Rhs):
				if id, ok := ast.Unparen(s.Rhs[i]).(*ast.Ident); ok {
					v := r.pkg.Info.ObjectOf(id)
					kept[v] = append(kept[v], s.Pos())
				}
			}
		}
		return true
	})
	own := map[types.Object]span{}
	in := func(list []ast.Stmt) {
		for _, s := range list {
			assign, ok := s.(*ast.AssignStmt)
			if !ok || !r.makesCopy(assign) {
				continue
			}
			v := r.pkg.Info.ObjectOf(ast.Unparen(assign.Lhs[0]).(*ast.Ident))
			if last[v] != assign {
				continue
			}
			at := span{s.End(), list[len(list)-1].End()}
			for _, pos := range kept[v] {
				if at.from <= pos {
					at.to = min(at.to, pos)
				}
			}
			own[v] = at
		}
	}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			in(n.List)
		case *ast.CaseClause:
			in(n.Body)
		case *ast.CommClause:
			in(n.Body)
		}
		return true
	})
	return own
}

func (r *Result) names(e ast.Expr, v types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && r.pkg.Info.ObjectOf(id) == v
}

// makesCopy says whether the statement makes a variable a copy.
func (r *Result) makesCopy(assign *ast.AssignStmt) bool {
	if _, isName := ast.Unparen(assign.Lhs[0]).(*ast.Ident); !isName || len(assign.Rhs) != 1 {
		return false
	}
	call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := r.locks.Callee(call)
	return fn != nil && r.pkg.ByFunc[fn] == nil && copying.MatchString(fn.Name())
}

// copying are names of functions of other packages whose result is nobody else's.
var copying = pattern.New(`^(Clone|Copy|DeepCopy)$`)
