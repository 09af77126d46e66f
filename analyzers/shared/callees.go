package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// callees are the bodies that the call can reach in this package.
func (r *Result) callees(call *ast.CallExpr, fn *types.Func) []*accesses.Body {
	if fn == nil {
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
			if b := r.locks.NamedLit(id); b != nil {
				return []*accesses.Body{b}
			}
		}
		return nil
	}
	if b := r.pkg.ByFunc[fn]; b != nil {
		return []*accesses.Body{b}
	}
	if !ofInterface(fn) {
		return nil
	}
	iface, ok := r.interfaceCalled(call, fn).Underlying().(*types.Interface)
	if !ok {
		return r.methods[fn.Name()] // a type parameter
	}
	var list []*accesses.Body
	for _, b := range r.methods[fn.Name()] {
		if r.implements(b.Func.Signature().Recv().Type(), iface) {
			list = append(list, b)
		}
	}
	return list
}

// interfaceCalled is the interface by way of which the method is called: one that has more methods,
// perhaps, than the one that declares it.
func (r *Result) interfaceCalled(call *ast.CallExpr, fn *types.Func) types.Type {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if t := r.pkg.Info.TypeOf(sel.X); t != nil && types.IsInterface(t) {
			return t
		}
	}
	return fn.Signature().Recv().Type()
}

// implements says whether the type of a receiver, or what embeds it, may be behind the interface.
func (r *Result) implements(recv types.Type, iface *types.Interface) bool {
	named := accesses.TypeName(recv)
	if named == nil || r.embeds(named) {
		return true
	}
	if of, ok := named.Type().(*types.Named); ok && of.TypeParams().Len() > 0 {
		return true
	}
	return types.Implements(types.NewPointer(named.Type()), iface)
}

// embeds says whether some struct of the package embeds the type.
func (r *Result) embeds(tn *types.TypeName) bool {
	if r.embedded == nil {
		r.embedded = map[*types.TypeName]bool{}
		for _, obj := range r.pkg.Info.Defs {
			if f, ok := obj.(*types.Var); ok && f.Embedded() {
				r.embedded[accesses.TypeName(f.Type())] = true
			}
		}
	}
	return r.embedded[tn]
}

// isCallee is refined by findRoots: identifiers in call position.
func (r *Result) isCallee(id *ast.Ident) bool { return r.locks.InCallPosition(id) }
