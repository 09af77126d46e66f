package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// pure says whether the call is of a function whose result is determined by its
// operands.
func (v *values) pure(call *ast.CallExpr) bool {
	if lit := v.literalOf(call.Fun); lit != nil {
		return v.isYesOrNo(call) && v.onlyAsks(lit.Body)
	}
	fn, _ := typeutil.Callee(v.pkg.Info, call).(*types.Func)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if b := v.pkg.ByFunc[fn.Origin()]; b != nil && b.Func != nil && b.Func.Signature().Recv() == nil {
		return v.isYesOrNo(call) && v.onlyAsks(b.Block)
	}
	if b := v.pkg.ByFunc[fn.Origin()]; b != nil {
		return v.asks(b)
	}
	return isPure(fn)
}

// literalOf is the literal that the local holds which is called, if it never holds another one.
func (v *values) literalOf(fun ast.Expr) *ast.FuncLit {
	id, ok := ast.Unparen(fun).(*ast.Ident)
	if !ok {
		return nil
	}
	list := v.assigns[v.pkg.Info.ObjectOf(id)]
	if len(list) != 1 {
		return nil
	}
	lit, _ := ast.Unparen(list[0].value).(*ast.FuncLit)
	return lit
}

// isYesOrNo says whether the call answers a question.
func (v *values) isYesOrNo(call *ast.CallExpr) bool {
	t, ok := v.underlying(call).(*types.Basic)
	return ok && t.Info()&types.IsBoolean != 0
}

func isPure(fn *types.Func) bool {
	switch fn.Pkg().Path() {
	case "time", "strings", "bytes", "math", "strconv", "slices", "sort", "maps", "cmp", "unicode", "errors":
		return true
	}
	return false
}

// asks says whether the body is that of a method which only returns an expression over
// the fields of its receiver, and over the clock: expired := time.Now().After(c.deadline).
func (v *values) asks(b *accesses.Body) bool {
	return b.Func != nil && b.Func.Signature().Recv() != nil && v.onlyAsks(b.Block)
}

// onlyAsks says whether all that the block does is to return such an expression, over what a
// function is given: func isFor(e *entry, k string) bool { return e != nil && e.key == k }.
func (v *values) onlyAsks(block *ast.BlockStmt) bool {
	if len(block.List) != 1 {
		return false
	}
	ret, ok := block.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	only := true
	ast.Inspect(ret.Results[0], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			fn, _ := typeutil.Callee(v.pkg.Info, n).(*types.Func)
			tv := v.pkg.Info.Types[n.Fun]
			only = only && (tv.IsType() || tv.IsBuiltin() || fn != nil && fn.Pkg() != nil && isPure(fn))
		case *ast.FuncLit, *ast.StarExpr:
			only = false
		case *ast.UnaryExpr:
			only = only && n.Op != token.ARROW
		}
		return only
	})
	return only
}

func (v *values) underlying(e ast.Expr) types.Type {
	if t := v.pkg.Info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}
