package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"github.com/atomrace/atomrace/atomicity/access"
)

// guardedAliases finds the locals of fn that hold a slice or map which was copied out
// of a shared variable before a lock was released, as in
//
//	mu.Lock(); list := s.list; mu.Unlock(); for _, x := range list …
//
// with the contents of that variable: what the local leads to is read and written
// there under the lock, and here without. Other locals are left out, for most of them
// are what the innermost loops of a program work on.
func guardedAliases(p *access.Package, fn *access.Function, found map[*types.Var]access.Var) {
	ast.Inspect(fn.Node, func(n ast.Node) bool {
		if body := bodyOf(n); body != nil {
			lists(body, func(list []ast.Stmt) { aliasesIn(p.Info, list, found) })
		}
		return true
	})
}

func aliasesIn(info *types.Info, list []ast.Stmt, found map[*types.Var]access.Var) {
	copied := map[*types.Var]access.Var{}
	for _, s := range list {
		switch s := unlabelled(s).(type) {
		case *ast.AssignStmt:
			if len(s.Lhs) != len(s.Rhs) || s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
				continue
			}
			for i, left := range s.Lhs {
				if v, source := aliased(info, left, s.Rhs[i]); v != nil {
					copied[v] = source
				}
			}
		case *ast.ExprStmt:
			if isUnlock(info, s.X) {
				maps.Copy(found, copied)
			}
		}
	}
}

// aliased returns the local that left is and the contents of the field or
// package-level variable that right is, if both are the same slice or map.
func aliased(info *types.Info, left, right ast.Expr) (*types.Var, access.Var) {
	id, ok := left.(*ast.Ident)
	if !ok {
		return nil, access.Var{}
	}
	v, ok := info.ObjectOf(id).(*types.Var)
	if !ok || !isLocal(v) {
		return nil, access.Var{}
	}
	switch v.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
	default:
		return nil, access.Var{}
	}
	right = ast.Unparen(right)
	if s, ok := right.(*ast.SliceExpr); ok {
		right = ast.Unparen(s.X)
	}
	source := access.Contents(info, right)
	if source.Obj == nil || isLocal(source.Obj) {
		return nil, access.Var{}
	}
	return v, source
}

func isUnlock(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "sync" && (f.Name() == "Unlock" || f.Name() == "RUnlock")
}
