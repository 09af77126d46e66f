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
	fn, _ := typeutil.Callee(v.pkg.Info, call).(*types.Func)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if judgesError(fn) {
		return true
	}
	if b := v.pkg.ByFunc[fn.Origin()]; b != nil {
		return v.asks(b)
	}
	return isPure(fn)
}

// judgesError says whether the function answers yes or no about an error, as os.IsNotExist does.
func judgesError(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Recv() == nil && sig.Params().Len() == 1 && sig.Results().Len() == 1 && isBoolean(sig.Results().At(0).Type()) &&
		types.Identical(sig.Params().At(0).Type(), types.Universe.Lookup("error").Type())
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
	if b.Func == nil || b.Func.Signature().Recv() == nil || len(b.Block.List) != 1 {
		return false
	}
	ret, ok := b.Block.List[0].(*ast.ReturnStmt)
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
		}
		return only
	})
	return only
}

// judges says whether the body is that of a method which answers yes or no, by the fields of
// its receiver, its arguments and the clock, in more steps than one, and changes nothing:
//
//	if e.deadline == 0 { return false }
//	return now() > e.deadline
func (v *values) judges(b *accesses.Body) bool {
	if b.Func == nil || b.Func.Signature().Recv() == nil || b.Func.Signature().Results().Len() != 1 || !isBoolean(b.Func.Signature().Results().At(0).Type()) {
		return false
	}
	only := true
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			fn, _ := typeutil.Callee(v.pkg.Info, n).(*types.Func)
			tv := v.pkg.Info.Types[n.Fun]
			only = only && (tv.IsType() || tv.IsBuiltin() || fn != nil && fn.Pkg() != nil && isPure(fn))
		case *ast.AssignStmt:
			only = only && n.Tok == token.DEFINE
		case *ast.BlockStmt, *ast.ReturnStmt, *ast.IfStmt, *ast.SwitchStmt, *ast.CaseClause:
		case ast.Stmt, *ast.FuncLit, *ast.StarExpr:
			only = false
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
