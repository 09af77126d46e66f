package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// few is a number of keys of which two that are drawn at random are often enough the same.
const few = 1 << 20

// drawnFromFew says whether the value, drawn at random, is one of so few that others draw the
// same: it has 16 bits at most, or is drawn below, or taken modulo, a small constant, as
// uint16(rand.Uint32()) and 1024 + rand.IntN(4096) are.
func (f *finding) drawnFromFew(value ast.Expr) bool {
	if t := f.pkg.Info.TypeOf(value); t != nil {
		if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
			t = tuple.At(0).Type()
		}
		if isSmall(t) {
			return true
		}
	}
	bound := func(e ast.Expr) bool {
		tv := f.pkg.Info.Types[e]
		return tv.Value != nil && tv.Value.Kind() == constant.Int && constant.Compare(tv.Value, token.LEQ, constant.MakeInt64(few))
	}
	found := false
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || (n.Op == token.REM || n.Op == token.AND) && bound(n.Y)
		case *ast.CallExpr:
			fn := f.locks.Callee(n)
			below := fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "math/rand" || fn.Pkg().Path() == "math/rand/v2")
			found = found || below && len(n.Args) == 1 && bound(n.Args[0])
		}
		return !found
	})
	return found && isWhole(f.pkg.Info.TypeOf(value))
}

// isSmall says whether the type is a number of 16 bits at most.
func isSmall(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int8, types.Int16, types.Uint8, types.Uint16:
		return true
	}
	return false
}

// isWhole says whether the type is one of whole numbers.
func isWhole(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
