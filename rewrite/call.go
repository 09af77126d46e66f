package rewrite

import (
	"go/ast"
	"go/types"
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
		if h = p.hook(source, mode, access.Atomic, access.SyncMap); h != nil {
			break
		}
	}
	if h == nil {
		h = p.hook(source, atomicity.Read, access.MapWhole)
		if h == nil || h.access.Method != "len" {
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
// operands are evaluated before the wrapper is entered.
func (p *pass) atomic(h *hook, e *dst.CallExpr) dst.Expr {
	var at dst.Expr
	args := e.Args
	if p.isAtomicFunction(h.access) {
		if len(args) == 0 {
			return nil
		}
		if isEffectful(args[0]) {
			p.unhooked(h, "the operand of the atomic operation would be evaluated twice")
			return nil
		}
		at = again(args[0])
	} else {
		fun, ok := dstutil.Unparen(e.Fun).(*dst.SelectorExpr)
		if !ok || isEffectful(fun.X) {
			p.unhooked(h, "the operand of the atomic operation would be evaluated twice")
			return nil
		}
		at = p.receiver(h.access, again(fun.X))
	}
	signature, ok := p.info.TypeOf(h.access.Expr.(*ast.CallExpr).Fun).Underlying().(*types.Signature)
	if !ok || signature.Variadic() || signature.Params().Len() != len(args) {
		p.unhooked(h, "the operation's arguments come from a call with several results")
		return nil
	}
	converted := make([]dst.Expr, len(args))
	for i, a := range args {
		converted[i] = a
		if param := signature.Params().At(i).Type(); types.IsInterface(param) {
			t, ok := p.typeExpr(types.Unalias(param), h.access.Pos())
			if !ok {
				p.unhooked(h, "the operation's parameter type cannot be named here")
				return nil
			}
			converted[i] = call(t, a)
		}
	}
	name := "Do" + strconv.Itoa(len(args)) + strconv.Itoa(signature.Results().Len())
	switch name {
	case "Do00", "Do01", "Do10", "Do11", "Do12", "Do20", "Do21", "Do30", "Do31":
	default:
		p.unhooked(h, "the runtime has no wrapper for an operation of this shape")
		return nil
	}
	all := append(p.use(h), p.pointer(at), e.Fun)
	return p.heal(name, append(all, converted...)...)
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
