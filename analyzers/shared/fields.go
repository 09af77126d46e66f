package shared

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// stored is a value that body stores in a field.
type stored struct {
	body  *accesses.Body
	value ast.Expr
}

// findStores collects what the package stores in fields that point to something and that
// nobody sets once the object is made: the server in &conn{server: s}.
func (r *Result) findStores() {
	elsewhere := map[*types.Var]bool{}
	add := func(b *accesses.Body, f *types.Var, value ast.Expr) {
		if tv := r.pkg.Info.Types[value]; f != nil && !tv.IsNil() && isPointer(f.Type()) {
			r.stores[f] = append(r.stores[f], stored{b, value})
		}
	}
	for _, b := range r.pkg.Bodies {
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CompositeLit:
				r.literal(n, func(f *types.Var, value ast.Expr) { add(b, f, value) })
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					if f := r.field(l); f != nil {
						elsewhere[f] = true
					}
				}
			case *ast.IncDecStmt:
				if f := r.field(n.X); f != nil {
					elsewhere[f] = true
				}
			case *ast.UnaryExpr:
				if f := r.field(n.X); n.Op == token.AND && f != nil {
					elsewhere[f] = true
				}
			}
			return true
		})
	}
	r.findWrappers(elsewhere)
	for f := range r.stores {
		tn := r.owners[f]
		if elsewhere[f] || tn == nil || f.Pkg() != r.pkg.Types || f.Exported() && tn.Exported() {
			delete(r.stores, f)
		}
	}
	r.findOwnedState()
}

// literal calls visit for each field that the composite literal sets.
func (r *Result) literal(lit *ast.CompositeLit, visit func(f *types.Var, value ast.Expr)) {
	t := r.pkg.Info.TypeOf(lit)
	if t == nil {
		return
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				if f, ok := r.pkg.Info.Uses[id].(*types.Var); ok {
					visit(f.Origin(), kv.Value)
				}
			}
		} else if i < st.NumFields() {
			visit(st.Field(i).Origin(), e)
		}
	}
}

// field is the field that e selects, or nil.
func (r *Result) field(e ast.Expr) *types.Var {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if s := r.pkg.Info.Selections[sel]; s != nil && s.Kind() == types.FieldVal {
		return s.Obj().(*types.Var).Origin()
	}
	return nil
}

// updateFields says of each such field how far what it refers to is shared at least: as
// far as the least shared of what is stored there. It returns whether one has grown.
func (r *Result) updateFields() bool {
	changed := false
	for f, list := range r.stores {
		x := Shared
		for _, s := range list {
			x = min(x, r.ofExpr(s.body, s.value, 0))
		}
		if x >= Meant && x > r.fields[f] {
			r.fields[f], changed = x, true
		}
	}
	return changed
}

// SharedField says whether the path of e leads through a field that always refers to
// something shared, whoever owns the object that has the field.
func (r *Result) SharedField(e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if f := r.field(x.X); f != nil && r.fields[f] >= Meant {
				return true
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return false
		}
	}
}

// gives raises what the goroutines of a loop get by way of objects of their own: sp in
// for … { c := &Courier{spool: sp}; go c.loop() }.
func (r *Result) gives(b *accesses.Body, at ast.Node, e ast.Expr, raise func(types.Object, Reach)) {
	if loop := innermostLoop(b, at); loop != nil {
		for _, v := range r.through(loop, e) {
			if b.Node.Pos() <= v.Pos() && v.Pos() < b.Node.End() {
				raise(v, Shared)
				r.publish(b, v, at)
			}
		}
	}
}

// through lists the variables from outside the loop that point to what e, which
// each turn of the loop makes anew, has in its fields.
func (r *Result) through(loop ast.Stmt, e ast.Expr) (list []*types.Var) {
	own := func(v types.Object) bool { return loop.Pos() <= v.Pos() && v.Pos() < loop.End() }
	give := func(f *types.Var, value ast.Expr) {
		if id, ok := ast.Unparen(value).(*ast.Ident); ok && isPointer(f.Type()) {
			if v, ok := r.pkg.Info.Uses[id].(*types.Var); ok && !own(v) {
				list = append(list, v)
			}
		}
	}
	from := func(value ast.Expr) {
		if u, ok := ast.Unparen(value).(*ast.UnaryExpr); ok && u.Op == token.AND {
			value = u.X
		}
		switch x := ast.Unparen(value).(type) {
		case *ast.CompositeLit:
			r.literal(x, give)
		case *ast.CallExpr:
			for i, f := range r.constructed(r.locks.Callee(x)) {
				if i < len(x.Args) && f != nil {
					give(f, x.Args[i])
				}
			}
		}
	}
	from(e)
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return list
	}
	obj := r.pkg.Info.ObjectOf(id)
	if obj == nil || !own(obj) {
		return list
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && len(s.Lhs) == len(s.Rhs) {
			for i, l := range s.Lhs {
				if id, ok := l.(*ast.Ident); ok && r.pkg.Info.ObjectOf(id) == obj {
					from(s.Rhs[i])
				}
			}
		}
		return true
	})
	return list
}

// constructed lists, for each parameter of a function that returns a composite literal, the
// field that it is stored in there, nil if none.
func (r *Result) constructed(fn *types.Func) []*types.Var {
	b := r.pkg.ByFunc[fn]
	if b == nil || fn.Signature().Variadic() {
		return nil
	}
	fields := make([]*types.Var, fn.Signature().Params().Len())
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			r.literal(lit, func(f *types.Var, value ast.Expr) {
				id, ok := ast.Unparen(value).(*ast.Ident)
				for i := range fields {
					if ok && r.pkg.Info.Uses[id] == types.Object(fn.Signature().Params().At(i)) {
						fields[i] = f
					}
				}
			})
		}
		return true
	})
	return fields
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
