package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// hookCall hooks a call that is an access: an operation of sync/atomic or
// sync.Map, or len of a map. It returns nil for other calls, and for those
// that cannot be hooked. delete and clear are statements, hooked there.
func (p *pass) hookCall(e *dst.CallExpr, source ast.Expr) dst.Expr {
	var h *hook
	for _, mode := range []atomicity.AccessSet{atomicity.Read, atomicity.Write} {
		if h = p.hook(source, mode, access.Atomic, access.SyncMap, access.Call); h != nil {
			break
		}
	}
	if h == nil {
		h = p.hook(source, atomicity.Read, access.MapWhole)
		if h == nil || h.access.Method != "len" || !p.takesMap(h) {
			return nil
		}
		name := "MapPeekLen"
		if h.full {
			name = "MapLen"
		}
		return p.heal(name, append(p.use(h), e.Args[0])...)
	}
	if p.detached[e] == "go" {
		p.unhooked(h, "the operation itself is the function of a go statement")
		return nil
	}
	if e.Ellipsis {
		return nil
	}
	if h.access.Kind == access.SyncMap {
		return p.syncMap(h, e)
	}
	return p.atomic(h, e)
}

// atomic wraps an operation of sync/atomic: heal.Do11(f, l, &x, x.Add, 1). Its
// operands are evaluated before the wrapper is entered. Where the operand may
// not be written down twice, it becomes the parameter of a function literal.
func (p *pass) atomic(h *hook, e *dst.CallExpr) dst.Expr {
	signature, ok := p.info.TypeOf(h.access.Expr.(*ast.CallExpr).Fun).Underlying().(*types.Signature)
	if !ok || signature.Variadic() || signature.Params().Len() != len(e.Args) {
		p.unhooked(h, "the operation's arguments come from a call with several results")
		return nil
	}
	shape := shapeOf(signature)
	if !wrappers[shape] {
		p.unhooked(h, "the runtime has no wrapper for an operation of this shape")
		return nil
	}
	var at dst.Expr
	var pointer types.Type
	var operand *dst.Expr // in the call
	if p.isAtomicFunction(h.access) && len(e.Args) > 0 {
		operand = &e.Args[0]
		at, pointer = *operand, signature.Params().At(0).Type()
	} else {
		fun, ok := dstutil.Unparen(e.Fun).(*dst.SelectorExpr)
		sel := p.info.Selections[ast.Unparen(h.access.Expr.(*ast.CallExpr).Fun).(*ast.SelectorExpr)]
		if !ok || sel == nil {
			return nil
		}
		operand = &fun.X
		at, pointer = p.receiver(h.access, *operand), sel.Obj().(*types.Func).Signature().Recv().Type()
		if h.access.Kind == access.Call {
			if at = *operand; !p.isPointer(at) {
				at = address(at)
			}
		}
	}
	var lit *dst.FuncLit
	outer := at
	if isEffectful(at) {
		parameter := p.temp(tempPrefix)
		if lit, ok = p.wrapper(parameter, pointer, signature.Results(), h); !ok {
			p.unhooked(h, "the operand would be evaluated twice, and its type cannot be named here")
			return nil
		}
		*operand, at = ident(parameter), ident(parameter)
	} else {
		at = again(at)
	}
	if h.access.Kind == access.Call {
		at = p.field(h.access, at)
	} else {
		at = p.pointer(at)
	}
	name, args := "Do", append(p.use(h), at)
	if p.plan.control {
		args = []dst.Expr{p.location(h), at, p.boolean(h.access.Mode&atomicity.Write != 0)}
		if h.access.Kind == access.Call {
			name = "Call"
		}
	}
	if h.access.Kind == access.Call && h.access.Key != nil {
		name += "Key"
		if len(e.Args) > 1 {
			args = append(args, number(slices.Index(h.access.Expr.(*ast.CallExpr).Args, h.access.Key)))
		}
	}
	args = append(args, e.Fun)
	for i, a := range e.Args {
		param := signature.Params().At(i).Type()
		if h.access.Kind == access.Call && p.plan.passesAsIs(h.access.Expr.(*ast.CallExpr).Args[i], param) {
			args = append(args, a)
			continue
		}
		if types.IsInterface(param) || h.access.Kind == access.Call && !isBasic(param) {
			t, ok := p.typeExpr(types.Unalias(param), h.access.Pos())
			if !ok {
				t = &dst.InterfaceType{Methods: &dst.FieldList{Opening: true, Closing: true}}
			}
			if _, ok := t.(*dst.StarExpr); ok {
				t = &dst.ParenExpr{X: t}
			}
			a = call(t, a)
		}
		args = append(args, a)
	}
	hooked := p.heal(name+shape, args...)
	if lit == nil {
		return hooked
	}
	if signature.Results().Len() == 0 {
		lit.Body.List = []dst.Stmt{statement(hooked)}
	} else {
		lit.Body.List = []dst.Stmt{&dst.ReturnStmt{Results: []dst.Expr{hooked}}}
	}
	return call(lit, outer)
}

// wrappers are the shapes of the functions Do… of the runtime: so many arguments, so
// many results.
var wrappers = map[string]bool{
	"00": true, "01": true, "02": true, "10": true, "11": true, "12": true,
	"20": true, "21": true, "22": true, "30": true, "31": true, "32": true,
}

func shapeOf(s *types.Signature) string {
	return strconv.Itoa(s.Params().Len()) + strconv.Itoa(s.Results().Len())
}

// wrappable says whether there can be a hook around the call of a method.
func (p *plan) wrappable(e *ast.CallExpr) bool {
	if _, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); !ok {
		return false
	}
	signature, ok := p.pkg.TypesInfo.TypeOf(e.Fun).Underlying().(*types.Signature)
	if !ok || signature.Variadic() || signature.Params().Len() != len(e.Args) || !wrappers[shapeOf(signature)] {
		return false
	}
	for i := range signature.Params().Len() {
		param := signature.Params().At(i).Type()
		if !p.passesAsIs(e.Args[i], param) && !nameable(param, p.pkg.Types) {
			return false
		}
	}
	return true
}

// passesAsIs says whether the argument has the type of its parameter by itself, so that
// the wrapper need not be told.
func (p *plan) passesAsIs(e ast.Expr, param types.Type) bool {
	switch ast.Unparen(e).(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
		return false // may have no type of its own
	}
	return !tvConst(p.pkg.TypesInfo, e) && types.Identical(p.pkg.TypesInfo.TypeOf(e), param)
}

// nameable says whether a conversion to t can be written down everywhere in pkg.
func nameable(t types.Type, pkg *types.Package) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return true
	case *types.Pointer:
		return nameable(t.Elem(), pkg)
	case *types.Slice:
		return nameable(t.Elem(), pkg)
	case *types.Named:
		o := t.Obj()
		return t.TypeArgs().Len() == 0 && (o.Pkg() == nil || o.Pkg() == pkg && o.Parent() == pkg.Scope())
	}
	return false
}

func isBasic(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Basic)
	return ok
}

// field is the address of the field of x that the called method accesses, or says
// where the map is of which it accesses an entry; x may be nil, of which the method may
// make what it likes.
func (p *pass) field(a *access.Access, x dst.Expr) dst.Expr {
	p.usesPtr = true
	operand := again(x)
	if _, ok := operand.(*dst.UnaryExpr); ok {
		operand = &dst.ParenExpr{X: operand}
	}
	offset := call(selector(unsafeName, "Offsetof"), &dst.SelectorExpr{X: operand, Sel: ident(a.Var.Obj.Name())})
	name := "Field"
	switch {
	case a.Key == nil:
	case isNamed(a.Var.Obj.Type(), "sync", "Map"):
		name = "SyncMapField"
	default:
		name = "MapField"
	}
	return p.heal(name, p.pointer(x), offset)
}

// wrapper is a function literal with one parameter of type t.
func (p *pass) wrapper(parameter string, t types.Type, results *types.Tuple, h *hook) (*dst.FuncLit, bool) {
	typ, ok := p.typeExpr(t, h.access.Pos())
	if !ok {
		return nil, false
	}
	ft := &dst.FuncType{Func: true, Params: &dst.FieldList{
		Opening: true, Closing: true,
		List: []*dst.Field{{Names: []*dst.Ident{ident(parameter)}, Type: typ}},
	}}
	if results.Len() > 0 {
		ft.Results = &dst.FieldList{Opening: true, Closing: true}
		for r := range results.Variables() {
			typ, ok := p.typeExpr(types.Unalias(r.Type()), h.access.Pos())
			if !ok {
				return nil, false
			}
			ft.Results.List = append(ft.Results.List, &dst.Field{Type: typ})
		}
	}
	return &dst.FuncLit{Type: ft, Body: &dst.BlockStmt{}}, true
}

func (p *pass) isAtomicFunction(a *access.Access) bool {
	fun := ast.Unparen(a.Expr.(*ast.CallExpr).Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
		fun = ix.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	return !ok || p.info.Selections[sel] == nil
}

// receiver is the address of the memory that the method works on.
func (p *pass) receiver(a *access.Access, x dst.Expr) dst.Expr {
	switch {
	case a.Promoted:
		field := &dst.SelectorExpr{X: x, Sel: ident(a.Var.Obj.Name())}
		if _, isPointer := a.Var.Obj.Type().Underlying().(*types.Pointer); isPointer {
			return field
		}
		return address(field)
	case a.Pointer:
		return x
	}
	return address(x)
}

var syncMapWrappers = map[string]bool{
	"Load": true, "Store": true, "LoadOrStore": true, "LoadAndDelete": true, "Delete": true,
	"Swap": true, "CompareAndSwap": true, "CompareAndDelete": true,
}

// syncMap wraps a sync.Map operation on one entry.
func (p *pass) syncMap(h *hook, e *dst.CallExpr) dst.Expr {
	fun, ok := dstutil.Unparen(e.Fun).(*dst.SelectorExpr)
	if !ok || !syncMapWrappers[h.access.Method] {
		p.unhooked(h, "sync.Map.%s is about all entries at once", h.access.Method)
		return nil
	}
	if signature, ok := p.info.TypeOf(h.access.Expr.(*ast.CallExpr).Fun).Underlying().(*types.Signature); !ok || signature.Params().Len() != len(e.Args) {
		p.unhooked(h, "the operation's arguments come from a call with several results")
		return nil
	}
	m := p.receiver(h.access, fun.X)
	all := append(p.use(h), m)
	return p.heal("SyncMap"+h.access.Method, append(all, e.Args...)...)
}
