package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// telling is the search for what a condition tells of a flag that has the value.
type telling struct {
	*search
	flag  access.Var
	value constant.Value
	on    accesses.Place // the object that the flag is a field of
	depth int            // of methods that return what others return
}

// holds says how the condition comes out, if the flag alone decides that.
func (t *telling) holds(cond ast.Expr) (yes, ok bool) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			yes, ok = t.holds(e.X)
			return !yes, ok
		}
	case *ast.BinaryExpr:
		c := t.pkg.Info.Types[e.Y].Value
		if c == nil || !t.loads(e.X) {
			return false, false
		}
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return constant.Compare(constant.ToInt(t.value), e.Op, constant.ToInt(c)), true
		}
	case *ast.CallExpr:
		if t.loads(e) {
			return t.value.Kind() == constant.Bool && constant.BoolVal(t.value), t.value.Kind() == constant.Bool
		}
		return t.method(e)
	}
	return false, false
}

// loads says whether e is a Load of the flag.
func (t *telling) loads(e ast.Expr) bool {
	for _, o := range t.order {
		if o.via == nil && o.Var == t.flag && o.Mode == atomicity.Read && ast.Unparen(o.Expr) == ast.Unparen(e) {
			t.on = o.place.Object()
			return true
		}
	}
	return false
}

// method is holds for the call of a CompareAndSwap, or of a method that returns such a
// condition on its receiver.
func (t *telling) method(call *ast.CallExpr) (yes, ok bool) {
	for _, o := range t.order {
		if o.via == nil && o.Var == t.flag && ast.Unparen(o.Expr) == ast.Expr(call) && strings.HasPrefix(o.Method, "CompareAndSwap") {
			values := stored(o.Access)
			if c := t.pkg.Info.Types[values[0]].Value; c != nil && constant.Compare(t.value, token.EQL, c) {
				t.on = o.place.Object()
				return true, true
			}
			return false, false
		}
	}
	fn := t.locks.Callee(call)
	b := t.pkg.ByFunc[fn]
	if b == nil || len(b.Block.List) != 1 {
		return false, false
	}
	ret, isRet := b.Block.List[0].(*ast.ReturnStmt)
	on := t.receiverOf(call)
	if !isRet || len(ret.Results) != 1 || !on.Valid() || t.depth > 3 {
		return false, false
	}
	current := t.bodyState
	t.bodyState = t.states[b]
	t.depth++
	yes, ok = t.holds(ret.Results[0])
	t.depth--
	t.bodyState = current
	if t.on != (accesses.Place{Root: types.Object(fn.Signature().Recv())}) {
		return false, false
	}
	t.on = on.Whole()
	return yes, ok
}
