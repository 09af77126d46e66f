package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/atomicity"
)

// fixes offers CompareAndSwap where the code says nothing but
//
//	if x.Load() { …; return }
//	x.Store(true)
//
// on an atomic.Bool: the new code does the same, in one step.
func (f *finding) fixes(c *Candidate, end *hit) []analysis.SuggestedFix {
	if c.Pattern != atomicity.TestAndUse || f.entry.via != nil || end.via != nil ||
		f.entry.Method != "Load" || end.Method != "Store" || !isAtomicBool(f.entry.Var.Obj.Type()) {
		return nil
	}
	load, ok := f.entry.Expr.(*ast.CallExpr)
	if !ok || len(load.Args) != 0 {
		return nil
	}
	store, ok := end.Expr.(*ast.CallExpr)
	if !ok || len(store.Args) != 1 {
		return nil
	}
	value := f.pkg.Info.Types[store.Args[0]].Value
	if value == nil || value.Kind() != constant.Bool || !constant.BoolVal(value) {
		return nil
	}
	guard, next := adjacent(f.body.Block, end.Stmt)
	if guard == nil || guard.Init != nil || guard.Else != nil || ast.Unparen(guard.Cond) != ast.Expr(load) || !leaves(guard.Body) {
		return nil
	}
	method, ok := ast.Unparen(load.Fun).(*ast.SelectorExpr)
	if !ok || !repeatable(method.X) || f.named("false", load.Pos()) || f.named("true", load.Pos()) {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message: "Use CompareAndSwap",
		TextEdits: []analysis.TextEdit{
			{Pos: load.Pos(), End: load.Pos(), NewText: []byte("!")},
			{Pos: method.Sel.Pos(), End: load.End(), NewText: []byte("CompareAndSwap(false, true)")},
			{Pos: f.afterComments(guard.End(), next.Pos()), End: next.End()},
		},
	}}
}

// repeatable says whether the expression may stand once where it stood twice: nothing in it
// does anything but look.
func repeatable(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

// named says whether the program has given the predeclared name to something of its own.
func (f *finding) named(name string, pos token.Pos) bool {
	scope := f.pass.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return true
	}
	_, obj := scope.LookupParent(name, pos)
	return obj != types.Universe.Lookup(name)
}

// afterComments is from where on the source up to next can go: after the statement before
// it, unless there are comments in between, which stay.
func (f *finding) afterComments(before, next token.Pos) token.Pos {
	for _, file := range f.pass.Files {
		for _, group := range file.Comments {
			if before <= group.Pos() && group.End() <= next {
				return next
			}
		}
	}
	return before
}

func isAtomicBool(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic" && named.Obj().Name() == "Bool"
}

// adjacent finds the if statement directly before stmt in the same block.
func adjacent(body *ast.BlockStmt, stmt ast.Stmt) (*ast.IfStmt, ast.Stmt) {
	var guard *ast.IfStmt
	ast.Inspect(body, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok {
			return guard == nil
		}
		for i, s := range block.List {
			if s == stmt && i > 0 {
				guard, _ = block.List[i-1].(*ast.IfStmt)
			}
		}
		return guard == nil
	})
	return guard, stmt
}

// leaves says whether the block ends in a return, break, continue or goto.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	}
	return false
}
