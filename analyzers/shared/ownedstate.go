package shared

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// findOwnedState finds the types that have all their state, and the lock of it, in an object that each of theirs has for
// itself:
//
//	type Index struct { state *state }
//
//	func NewIndex() *Index { return &Index{state: &state{docs: map[int]*Doc{}}} }
//
//	func (ix *Index) Add(d *Doc) { ix.state.mu.Lock(); … }
//
// The state has no methods, so that it is those of the type that take the lock. They are made for concurrent use as if
// they had the lock themselves.
func (r *Result) findOwnedState() {
	r.ownParts, r.ownState = map[*types.Var]bool{}, map[*types.TypeName]bool{}
	for f, list := range r.stores {
		own := true
		for _, s := range list {
			own = own && isNew(s.value)
		}
		if !own {
			continue
		}
		r.ownParts[f] = true
		tn := r.owners[f]
		of := accesses.TypeName(f.Type())
		if of == nil || of.Pkg() != r.pkg.Types || of.Exported() || r.forOne[tn] || !r.concurrent[of] {
			continue
		}
		if named, ok := of.Type().(*types.Named); !ok || named.NumMethods() > 0 || !holdsMutex(named, 0) {
			continue
		}
		r.concurrent[tn], r.ownState[tn] = true, true
	}
}

// findWrappers finds the types that have nothing which changes but an object of another type of the package, with a lock of
// its own, which a constructor makes for each of theirs:
//
//	type Limited[T any] struct { list *List[T]; max int }
//
//	func NewLimited[T any](max int) *Limited[T] { return &Limited[T]{list: NewList[T](), max: max} }
//
// All that they do to their object they do by its methods: they are as good for concurrent use as that.
func (r *Result) findWrappers(assigned map[*types.Var]bool) {
	for f, list := range r.stores {
		tn, of := r.owners[f], accesses.TypeName(f.Type())
		if tn == nil || of == nil || assigned[f] || of.Pkg() != r.pkg.Types || r.concurrent[tn] || r.forOne[tn] || !r.concurrent[of] || r.forOne[of] || !holdsMutex(of.Type(), 0) || !tn.Exported() {
			continue
		}
		st, ok := tn.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		constant := true
		for field := range st.Fields() {
			if field.Origin() == f {
				continue
			}
			_, basic := field.Type().Underlying().(*types.Basic)
			constant = constant && basic && !field.Exported() && !assigned[field.Origin()]
		}
		for _, s := range list {
			constant = constant && (isNew(s.value) || r.madeAsNew(s.value, of))
		}
		if constant {
			r.concurrent[tn] = true
		}
	}
}

// madeAsNew says whether the value is what a function of the package returns that makes objects of the type.
func (r *Result) madeAsNew(value ast.Expr, of *types.TypeName) bool {
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn, ok := typeutil.Callee(r.pkg.Info, call).(*types.Func)
	if !ok || fn.Pkg() != r.pkg.Types || fn.Signature().Recv() != nil {
		return false
	}
	b := r.pkg.ByFunc[fn.Origin()]
	return b != nil && constructs(b) && fn.Signature().Results().Len() > 0 && accesses.TypeName(fn.Signature().Results().At(0).Type()) == of
}

// LockOwner is the object that the lock belongs to: where that is a part which each object of a type has made for itself, the
// object that it is a part of.
func (r *Result) LockOwner(lock accesses.Place) accesses.Place {
	part := lock.Object()
	outer := part.Object()
	if !outer.Valid() || outer == part {
		return part
	}
	if f := part.Field(); f != nil && r.ownParts[f.Origin()] {
		return outer
	}
	return part
}
