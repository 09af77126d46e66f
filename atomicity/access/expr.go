package access

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
)

func (w *walker) exprs(list []ast.Expr) {
	for _, e := range list {
		w.expr(e)
	}
}

// expr visits e, whose value is used. Where the value is known to the compiler nothing
// is evaluated: len(p.array) reads no p, which may be nil.
func (w *walker) expr(e ast.Expr) {
	if w.info.Types[e].Value != nil {
		return
	}
	switch e := e.(type) {
	case *ast.Ident:
		w.read(e)
	case *ast.ParenExpr:
		w.expr(e.X)
	case *ast.SelectorExpr:
		w.selector(e)
	case *ast.IndexExpr:
		if w.isGeneric(e.X) {
			w.expr(e.X)
			return
		}
		w.indexOperands(e)
		w.read(e)
	case *ast.IndexListExpr:
		w.expr(e.X)
	case *ast.StarExpr:
		w.expr(e.X)
		w.read(e)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			w.place(e.X)
			return
		}
		w.expr(e.X)
	case *ast.BinaryExpr:
		w.expr(e.X)
		w.expr(e.Y)
	case *ast.CallExpr:
		w.call(e)
	case *ast.FuncLit:
		outer, outerStmt := w.scope, w.stmt
		w.scope = e
		w.block(e.Body)
		w.scope, w.stmt = outer, outerStmt
	case *ast.CompositeLit:
		_, isStruct := underlying(w.info.TypeOf(e)).(*types.Struct)
		for _, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				if !isStruct {
					w.expr(kv.Key)
				}
				el = kv.Value
			}
			w.expr(el)
		}
	case *ast.SliceExpr:
		if _, isArray := underlying(w.info.TypeOf(e.X)).(*types.Array); isArray {
			w.place(e.X)
		} else {
			w.expr(e.X)
		}
		w.expr(e.Low)
		w.expr(e.High)
		w.expr(e.Max)
	case *ast.TypeAssertExpr:
		w.expr(e.X)
	}
}

// selector visits x.f used as a value: a field, a qualified name, or a method
// value.
func (w *walker) selector(e *ast.SelectorExpr) {
	sel := w.info.Selections[e]
	switch {
	case sel == nil: // pkg.Name
		w.read(e)
	case sel.Kind() == types.FieldVal:
		w.place(e)
		w.read(e)
	case sel.Kind() == types.MethodVal:
		w.receiver(e, sel)
	}
}

// receiver visits x of x.Method: its address is taken for a pointer method on
// an addressable value, else its value is used.
func (w *walker) receiver(e *ast.SelectorExpr, sel *types.Selection) {
	if isPointer(sel.Recv()) || !hasPointerReceiver(sel.Obj()) {
		w.expr(e.X)
		return
	}
	w.place(e.X)
}

// place visits the operands of e without using the value of e itself: e is
// assigned to, or its address is taken, or a field of it is selected.
func (w *walker) place(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.ParenExpr:
		w.place(e.X)
	case *ast.SelectorExpr:
		sel := w.info.Selections[e]
		switch {
		case sel == nil:
		case sel.Kind() != types.FieldVal:
			w.expr(e)
		case isPointer(w.info.TypeOf(e.X)) || !w.addressable(e.X):
			w.expr(e.X)
		default:
			w.place(e.X)
		}
	case *ast.StarExpr:
		w.expr(e.X)
	case *ast.IndexExpr:
		w.indexOperands(e)
	default:
		w.expr(e)
	}
}

func (w *walker) indexOperands(e *ast.IndexExpr) {
	if _, isArray := underlying(w.info.TypeOf(e.X)).(*types.Array); isArray && w.addressable(e.X) {
		w.place(e.X)
	} else {
		w.expr(e.X)
	}
	w.expr(e.Index)
}

// addressable says whether e denotes memory rather than a temporary value.
func (w *walker) addressable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := w.info.ObjectOf(e).(*types.Var)
		return ok
	case *ast.SelectorExpr:
		sel := w.info.Selections[e]
		if sel == nil {
			_, ok := w.info.Uses[e.Sel].(*types.Var)
			return ok
		}
		return sel.Kind() == types.FieldVal && (isPointer(w.info.TypeOf(e.X)) || sel.Indirect() || w.addressable(e.X))
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		switch t := underlying(w.info.TypeOf(e.X)).(type) {
		case *types.Slice:
			return true
		case *types.Array:
			return w.addressable(e.X)
		case *types.Pointer:
			_, ok := underlying(t.Elem()).(*types.Array)
			return ok
		}
	}
	return false
}

func (w *walker) call(e *ast.CallExpr) {
	fun := ast.Unparen(e.Fun)
	if tv, ok := w.info.Types[fun]; ok && tv.IsType() { // conversion
		w.exprs(e.Args)
		return
	}
	if w.asksForSize(fun) || w.builtin(e, fun) || w.syncCall(e, fun) {
		return
	}
	w.expr(fun)
	w.exprs(e.Args)
}

// asksForSize says whether fun is a function of package unsafe that looks at the type of
// its argument alone. That is no constant where the type has a parameter in it.
func (w *walker) asksForSize(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	b, ok := w.info.Uses[sel.Sel].(*types.Builtin)
	return ok && (b.Name() == "Sizeof" || b.Name() == "Offsetof" || b.Name() == "Alignof")
}

// unevaluated says whether range loops over e, a variable of which is its key at most,
// without evaluating it: its length is all that they need, and the compiler knows it.
func (w *walker) unevaluated(e ast.Expr) bool {
	t := underlying(w.info.TypeOf(e))
	if p, ok := t.(*types.Pointer); ok {
		t = underlying(p.Elem())
	}
	if _, isArray := t.(*types.Array); !isArray {
		return false
	}
	calls := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			tv := w.info.Types[n]
			calls = calls || tv.Value == nil && !w.info.Types[n.Fun].IsType()
		case *ast.UnaryExpr:
			calls = calls || n.Op == token.ARROW
		}
		return !calls
	})
	return !calls
}

func (w *walker) builtin(e *ast.CallExpr, fun ast.Expr) bool {
	id, ok := fun.(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := w.info.Uses[id].(*types.Builtin)
	if !ok {
		return false
	}
	switch b.Name() {
	case "len", "cap":
		if len(e.Args) != 1 {
			return true
		}
		if _, isArray := underlying(w.info.TypeOf(e.Args[0])).(*types.Array); isArray {
			w.place(e.Args[0])
			return true
		}
		w.expr(e.Args[0])
		if w.isMap(e.Args[0]) {
			w.whole(e, e.Args[0], atomicity.Read, "len")
		}
	case "delete":
		w.exprs(e.Args)
		if len(e.Args) == 2 {
			m := ast.Unparen(e.Args[0])
			w.emit(&Access{Var: w.contents(m), Mode: atomicity.Write, Kind: MapElement,
				Expr: e, Cell: m, Key: e.Args[1], Method: "delete"})
		}
	case "clear":
		w.exprs(e.Args)
		if len(e.Args) == 1 && w.isMap(e.Args[0]) {
			w.whole(e, e.Args[0], atomicity.Write, "clear")
		}
	case "new", "make":
		w.exprs(e.Args[min(1, len(e.Args)):])
	default:
		w.exprs(e.Args)
	}
	return true
}
