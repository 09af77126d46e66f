package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// byOwnKey says whether the expression looks something up by the key or index that the
// loop has given to this goroutine alone: for id := range jobs { go func() { n :=
// t.node(id); … }() }. The values that a loop goes through may be there twice.
func (r *Result) byOwnKey(b *accesses.Body, e ast.Expr) bool {
	if _, started := r.spawned[b]; !started || b.Parent == nil {
		return false
	}
	keys := r.loopKeys(b)
	if len(keys) == 0 {
		return false
	}
	if addr, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && addr.Op == token.AND {
		e = addr.X // &results[i]
	}
	var operands []ast.Expr
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		operands = e.Args
	case *ast.IndexExpr:
		operands = []ast.Expr{e.Index}
	}
	for _, o := range operands {
		if call, ok := ast.Unparen(o).(*ast.CallExpr); ok && len(call.Args) == 1 && r.pkg.Info.Types[call.Fun].IsType() {
			o = call.Args[0]
		}
		if id := identOf(ast.Unparen(o)); id != nil && keys[r.pkg.Info.ObjectOf(id)] {
			return true
		}
	}
	return false
}

// loopKeys are the variables that hold the key or index of the turn of the loop in which
// the literal b is started, among them its parameters that are given it.
func (r *Result) loopKeys(b *accesses.Body) map[types.Object]bool {
	var key *ast.Ident
	switch loop := innermostLoop(b.Parent, b.Node).(type) {
	case *ast.RangeStmt:
		key = identOf(loop.Key)
	case *ast.ForStmt:
		if init, ok := loop.Init.(*ast.AssignStmt); ok && len(init.Lhs) == 1 {
			key = identOf(init.Lhs[0])
		}
	}
	if key == nil || key.Name == "_" {
		return nil
	}
	keys := map[types.Object]bool{r.pkg.Info.ObjectOf(key): true}
	sig := b.Type(r.pkg.Info)
	ast.Inspect(b.Parent.Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || ast.Unparen(call.Fun) != b.Node || sig == nil {
			return true
		}
		for i, a := range call.Args {
			if id := identOf(ast.Unparen(a)); id != nil && keys[r.pkg.Info.ObjectOf(id)] && i < sig.Params().Len() {
				keys[sig.Params().At(i)] = true
			}
		}
		return false
	})
	return keys
}
