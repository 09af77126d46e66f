package access

import (
	"go/ast"
	"go/types"
)

// variable says which variable the memory e belongs to, if e denotes memory
// that could be shared: e is a field, an element, a map entry, what a pointer
// points to, a package-level variable, or a captured local.
func (w *walker) variable(e ast.Expr) (Var, Kind, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := w.info.ObjectOf(e).(*types.Var)
		if !ok || v.IsField() || !(isPackageLevel(v) || w.captured[v]) {
			return Var{}, 0, false
		}
		return Var{Obj: v.Origin()}, Cell, true
	case *ast.SelectorExpr:
		sel := w.info.Selections[e]
		if sel == nil {
			v, ok := w.info.Uses[e.Sel].(*types.Var)
			return Var{Obj: v}, Cell, ok
		}
		if sel.Kind() != types.FieldVal || !w.shareable(e) {
			return Var{}, 0, false
		}
		return Var{Obj: sel.Obj().(*types.Var).Origin()}, Cell, true
	case *ast.StarExpr:
		v := w.contents(e.X)
		return v, Cell, v.Obj != nil
	case *ast.IndexExpr:
		v := w.contents(e.X)
		if v.Obj == nil {
			return Var{}, 0, false
		}
		switch underlying(w.info.TypeOf(e.X)).(type) {
		case *types.Map:
			return v, MapElement, true
		case *types.Slice, *types.Pointer:
			return v, Element, true
		case *types.Array:
			return v, Element, w.shareable(e.X)
		}
	}
	return Var{}, 0, false
}

// Contents is the variable for the elements or entries of the container that e
// denotes, as the accesses of Enumerate have it; its Obj is nil when e is
// computed.
func Contents(info *types.Info, e ast.Expr) Var { return (&walker{info: info}).contents(e) }

// contents is the variable for what the container or pointer e holds.
func (w *walker) contents(e ast.Expr) Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := w.info.ObjectOf(e).(*types.Var); ok {
			return Var{Obj: v.Origin(), Contents: true}
		}
	case *ast.SelectorExpr:
		if v, ok := w.info.Uses[e.Sel].(*types.Var); ok {
			return Var{Obj: v.Origin(), Contents: true}
		}
	case *ast.IndexExpr:
		return w.contents(e.X)
	case *ast.StarExpr:
		return w.contents(e.X)
	}
	return Var{}
}

// shareable says whether the memory that e denotes can be reached other than
// through a local variable of this activation.
func (w *walker) shareable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := w.info.ObjectOf(e).(*types.Var)
		return ok && (isPackageLevel(v) || w.captured[v])
	case *ast.SelectorExpr:
		sel := w.info.Selections[e]
		if sel == nil {
			_, ok := w.info.Uses[e.Sel].(*types.Var)
			return ok
		}
		return sel.Indirect() || isPointer(w.info.TypeOf(e.X)) || w.shareable(e.X)
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		switch underlying(w.info.TypeOf(e.X)).(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return w.shareable(e.X)
		}
	}
	return false
}

// root is the variable at the root of e: p of p.a.b[i].
func (w *walker) root(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := w.info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		if w.info.Selections[e] == nil {
			v, _ := w.info.Uses[e.Sel].(*types.Var)
			return v
		}
		return w.root(e.X)
	case *ast.IndexExpr:
		return w.root(e.X)
	case *ast.StarExpr:
		return w.root(e.X)
	}
	return nil
}

// isSyncObject says whether e is itself a synchronisation object, whose value
// is no data of the program.
func (w *walker) isSyncObject(e ast.Expr) bool {
	named, ok := types.Unalias(w.typeOf(e)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	return path == "sync" && named.Obj().Name() != "Locker" || IsAtomic(path)
}

func (w *walker) typeOf(e ast.Expr) types.Type {
	if t := w.info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

func (w *walker) isMap(e ast.Expr) bool {
	_, ok := underlying(w.info.TypeOf(e)).(*types.Map)
	return ok
}

// isGeneric says whether e is a generic function or type, so that e[T] is an
// instantiation and no element.
func (w *walker) isGeneric(e ast.Expr) bool {
	tv, ok := w.info.Types[ast.Unparen(e)]
	if !ok {
		return true
	}
	_, isFunc := underlying(tv.Type).(*types.Signature)
	return isFunc || tv.IsType()
}

// capturedLocals finds the locals of the declaration n that a function literal
// other than the one declaring them uses.
func capturedLocals(info *types.Info, n ast.Node) map[*types.Var]bool {
	captured := map[*types.Var]bool{}
	var visit func(n ast.Node, lit *ast.FuncLit)
	visit = func(n ast.Node, lit *ast.FuncLit) {
		ast.Inspect(n, func(c ast.Node) bool {
			switch c := c.(type) {
			case *ast.FuncLit:
				if c != n {
					visit(c, c)
					return false
				}
			case *ast.Ident:
				v, ok := info.Uses[c].(*types.Var)
				if ok && lit != nil && !v.IsField() && !isPackageLevel(v) && !inside(v, lit) {
					captured[v] = true
				}
			}
			return true
		})
	}
	visit(n, nil)
	return captured
}

func inside(v *types.Var, lit *ast.FuncLit) bool {
	return lit.Pos() <= v.Pos() && v.Pos() < lit.End()
}

func isPackageLevel(v *types.Var) bool {
	return !v.IsField() && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

func isPointer(t types.Type) bool {
	_, ok := underlying(t).(*types.Pointer)
	return ok
}

func deref(t types.Type) types.Type {
	if p, ok := underlying(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t.Underlying()
}

func hasPointerReceiver(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Recv() != nil && isPointer(f.Signature().Recv().Type())
}

func typeName(t types.Type) string {
	if n, ok := types.Unalias(deref(t)).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}
