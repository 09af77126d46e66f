package shared

import (
	"go/ast"
	"go/types"
	"strings"
)

// startsOne says whether the function starts one goroutine with what it is given.
func startsOne(fn *types.Func) bool {
	path := fn.Pkg().Path()
	return path == "golang.org/x/sync/errgroup" || !strings.Contains(path, ".") && fn.Name() != "HandleFunc"
}

// mayKeep says whether the function may call what it is given as its argument i at any time, and in any
// goroutine: those of other packages may, but for some of the standard library, and those
// of this one that do something else with it than calling it.
func (c *caller) mayKeep(fn *types.Func, i int) bool {
	if fn == nil || fn.Pkg() == nil {
		return true
	}
	switch fn.Pkg().Path() {
	case c.pkg.Types.Path():
		return !c.onlyCalls(fn, i)
	case "sync":
		return fn.Name() != "Do" && fn.Name() != "Range"
	case "bytes", "go/ast", "io/fs", "path/filepath", "slices", "sort", "strings":
		return false
	}
	return true
}

// onlyCalls says whether all that the function does with its parameter i is to call it, itself.
func (c *caller) onlyCalls(fn *types.Func, i int) bool {
	b, sig := c.pkg.ByFunc[fn], fn.Signature()
	if b == nil || i >= sig.Params().Len() || sig.Variadic() {
		return false
	}
	only := true
	ast.PreorderStack(b.Block, nil, func(n ast.Node, stack []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && c.pkg.Info.Uses[id] == types.Object(sig.Params().At(i)) {
			call, ok := stack[len(stack)-1].(*ast.CallExpr)
			only = only && ok && call.Fun == ast.Expr(id)
			for _, around := range stack {
				switch around.(type) {
				case *ast.FuncLit, *ast.GoStmt:
					only = false
				}
			}
		}
		return only
	})
	return only
}
