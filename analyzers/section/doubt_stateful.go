package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// stateful says whether it matters which of two values of the type is kept.
func stateful(t types.Type, v ast.Expr, f *finding) bool {
	if types.IsInterface(t) {
		if call, ok := ast.Unparen(v).(*ast.CallExpr); ok && len(call.Args) == 1 {
			if tv, ok := f.pkg.Info.Types[call.Fun]; ok && tv.IsType() {
				return stateful(f.pkg.Info.TypeOf(call.Args[0]), call.Args[0], f)
			}
		}
		if f.assignedState(t, v) {
			return true
		}
	}
	return f.keepsState(t, 0) || f.countsInEntry(t)
}

// assignedState says whether a local of an interface type, as Load returns it, is assigned an
// object of another type that keeps state.
func (f *finding) assignedState(t types.Type, v ast.Expr) bool {
	id, ok := ast.Unparen(v).(*ast.Ident)
	if !ok {
		return false
	}
	return slices.ContainsFunc(f.values.assigns[f.pkg.Info.ObjectOf(id)], func(d assignment) bool {
		dt := f.pkg.Info.TypeOf(d.value)
		if results, ok := dt.(*types.Tuple); ok && results.Len() > 0 {
			dt = results.At(0).Type()
		}
		_, several := dt.(*types.Tuple)
		return dt != nil && !several && !types.Identical(dt, t) && f.keepsState(dt, 0)
	})
}

// keepsState says whether objects of the type change, or end, while they are in use.
func (f *finding) keepsState(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Map:
		return depth == 0 && f.fillsMaps(t)
	case *types.Slice:
		return f.keepsState(u.Elem(), depth+1)
	case *types.Interface:
		return depth == 0 && hasStatefulMethod(t)
	case *types.Pointer:
		if isPool(t) {
			return false
		}
		if f.changedByOthers(t) || f.shared.Locks(t) || depth == 0 && hasStatefulMethod(t) {
			return true
		}
		if st, ok := u.Elem().Underlying().(*types.Struct); ok {
			return f.fieldKeepsState(t, st, depth)
		}
	case *types.Struct:
		return f.fieldKeepsState(t, u, depth)
	}
	return false
}

// fieldKeepsState is keepsState for the fields of a struct of the package.
func (f *finding) fieldKeepsState(t types.Type, st *types.Struct, depth int) bool {
	if depth >= 2 || !f.isOurs(t) {
		return false
	}
	for field := range st.Fields() {
		if f.keepsState(field.Type(), depth+1) {
			return true
		}
	}
	return false
}

// fillsMaps says whether functions other than this one change maps of the type, after
// they have been made. What other packages do to maps of a common type is not known.
func (f *finding) fillsMaps(t types.Type) bool {
	if tn := accesses.TypeName(t); tn == nil || tn.Pkg() != f.pkg.Types || tn.Exported() {
		return true
	}
	for b, st := range f.states {
		if b.Outermost() == f.body.Outermost() || f.shared.Constructing(b) {
			continue
		}
		for _, o := range st.order {
			if o.Mode == atomicity.Write && o.Kind == access.MapElement && o.via == nil && types.Identical(f.pkg.Info.TypeOf(o.Cell), t) {
				return true
			}
		}
	}
	return false
}

// isOurs says whether the package declares the type.
func (f *finding) isOurs(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && tn.Pkg() == f.pkg.Types
}

// setsGoing says whether a goroutine is started where the test leads to, or by a function that is
// called there and does nothing before: two of them are not one.
func (f *finding) setsGoing(end *hit) bool {
	return f.inBranch(end, func(ev accesses.Event) bool {
		if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
			b := f.pkg.ByFunc[f.locks.Callee(call)]
			if b != nil && len(b.Block.List) > 0 {
				_, starts := b.Block.List[0].(*ast.GoStmt)
				return starts
			}
		}
		return ev.Kind == accesses.OnGo
	})
}

// startsBeside says whether a goroutine is started right before or after the end, with no
// branch in between: the flag does not merely remember what everybody finds out.
func (f *finding) startsBeside(end *hit) bool {
	return slices.ContainsFunc(f.body.Events[end.block], func(ev accesses.Event) bool { return ev.Kind == accesses.OnGo })
}

// isSomebody says whether two objects of the type are told apart by those who use them,
// though they were made alike.
func (f *finding) isSomebody(t types.Type) bool {
	if isPool(t) {
		return false
	}
	_, ch := t.Underlying().(*types.Chan)
	return ch || isLockItself(t) || f.shared.Locks(t) || f.changedByOthers(t) || f.countsInEntry(t)
}

// countsInEntry says whether a function counts in a field of a struct that it has found in the map, and puts it back:
// one that is put over it has not been counted in.
//
//	e, ok := c.m[path]; e.refs++; c.m[path] = e
func (f *finding) countsInEntry(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || f.entry.Kind != access.MapElement || !f.isOurs(t) {
		return false
	}
	for b, state := range f.states {
		stores := func(o *occurrence) bool {
			return o.Mode == atomicity.Write && o.via == nil && o.Var == f.entry.Var && o.source().Method != "delete"
		}
		if !slices.ContainsFunc(state.order, stores) {
			continue
		}
		counts := false
		ast.Inspect(b.Block, func(n ast.Node) bool {
			if inc, ok := n.(*ast.IncDecStmt); ok {
				sel, ok := ast.Unparen(inc.X).(*ast.SelectorExpr)
				counts = counts || ok && slices.ContainsFunc(slices.Collect(st.Fields()), func(v *types.Var) bool { return f.pkg.Info.ObjectOf(sel.Sel) == types.Object(v) })
			}
			return !counts
		})
		if counts {
			return true
		}
	}
	return false
}

// isLockItself says whether t is a pointer to what goroutines meet in, of package sync, or
// to an atomic.
func isLockItself(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return types.IsInterface(t) && types.TypeString(t, nil) == "sync.Locker"
	}
	tn := accesses.TypeName(t)
	return tn != nil && tn.Pkg() != nil && (tn.Pkg().Path() == "sync" || tn.Pkg().Path() == "sync/atomic")
}

// isPool says whether t is a pool, of which one is as good as another.
func isPool(t types.Type) bool { return types.TypeString(t, nil) == "*sync.Pool" }

// changedByOthers says whether the type is a pointer to a struct with fields that other
// functions write, as far as they are not called from here alone.
func (f *finding) changedByOthers(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		if f.othersWrite(access.Var{Obj: field.Origin()}) || f.othersWrite(access.Var{Obj: field.Origin(), Contents: true}) || f.changesFound(field.Origin()) {
			return true
		}
	}
	return false
}

// changesFound says whether the function itself changes the field of what the entry has
// found: if v, ok := m[k]; ok { v.hits++ }.
func (f *finding) changesFound(field *types.Var) bool {
	var found []types.Object
	for _, obj := range f.holding(f.entry) {
		if len(f.values.assigns[obj]) == 1 {
			found = append(found, obj)
		}
	}
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Write && o.via == nil && o.Var.Obj == field && slices.Contains(found, o.place.Root)
	})
}

// othersWrite says whether the variable is written, after it has been made, by
// functions other than this one and those that it alone calls.
func (f *finding) othersWrite(v access.Var) bool {
	u := f.shared.Use(v)
	if !u.Written() || len(u.Writes) == 0 {
		return u.Written()
	}
	for b := range u.Writes {
		if !f.calledFromHere(b.Outermost(), map[*accesses.Body]bool{}) {
			return true
		}
	}
	return false
}

// calledFromHere says whether the function is this one, or all its callers are called
// from here.
func (f *finding) calledFromHere(b *accesses.Body, asked map[*accesses.Body]bool) bool {
	if b == f.body.Outermost() || asked[b] {
		return true
	}
	asked[b] = true
	callers := f.callersOf(b.Func)
	for _, c := range callers {
		if !f.calledFromHere(c.Outermost(), asked) {
			return false
		}
	}
	return len(callers) > 0
}

// hasStatefulMethod goes by the names that methods which change or end
// something bear.
func hasStatefulMethod(t types.Type) bool {
	for _, name := range []string{"Close", "Stop", "Write", "Lock", "Add", "Inc", "Set", "Shutdown", "Cancel", "Allow", "Wait", "Destroy", "Disconnect", "Terminate", "Subscribe", "Unsubscribe", "UnSubscribe"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, ok := obj.(*types.Func); ok {
			return true
		}
	}
	return false
}
