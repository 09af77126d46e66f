package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// madeWith is what stands for a field of a local that the body has made since, as key does
// for e.key after e := newEntry(key) or e := &entry{key: key}; nil if that is not known.
func (s *search) madeWith(st *bodyState, local *ast.Ident, field string, at token.Pos) ast.Expr {
	list := st.values.assigns[s.pkg.Info.ObjectOf(local)]
	at = s.pkg.Order(at)
	for i := len(list) - 1; i >= 0; i-- {
		if d := list[i]; d.at <= at {
			if d.from <= at && at < d.to {
				return s.initialValue(d.value, field)
			}
			return nil
		}
	}
	return nil
}

// initialValue is what the value, a new object, has in the field.
func (s *search) initialValue(value ast.Expr, field string) ast.Expr {
	value = ast.Unparen(value)
	if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
		value = ast.Unparen(u.X)
	}
	switch value := value.(type) {
	case *ast.CompositeLit:
		for _, el := range value.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
					return kv.Value
				}
			}
		}
	case *ast.CallExpr:
		fn := s.locks.Callee(value)
		b := s.pkg.ByFunc[fn]
		if b == nil || len(b.Block.List) == 0 {
			return nil
		}
		ret, ok := b.Block.List[len(b.Block.List)-1].(*ast.ReturnStmt)
		if !ok || len(ret.Results) == 0 {
			return nil
		}
		if len(b.Block.List) > 1 {
			param := s.setInside(b, ret.Results[0], field)
			if param == nil {
				return nil
			}
			return s.locks.Argument(value, fn, param)
		}
		if _, again := ast.Unparen(ret.Results[0]).(*ast.CallExpr); again {
			return nil
		}
		param, ok := s.initialValue(ret.Results[0], field).(*ast.Ident)
		if !ok {
			return nil
		}
		if v, ok := s.pkg.Info.ObjectOf(param).(*types.Var); ok {
			return s.locks.Argument(value, fn, v)
		}
	}
	return nil
}

// setInside is the parameter of a constructor that the field of the object which it returns
// is given, once, in what it begins with or by x.field = param; nil if that is not known.
func (s *search) setInside(b *accesses.Body, result ast.Expr, field string) *types.Var {
	local, ok := ast.Unparen(result).(*ast.Ident)
	if !ok || b.Func == nil {
		return nil
	}
	obj := s.pkg.Info.ObjectOf(local)
	var given []ast.Expr
	ast.Inspect(b.Block, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range assign.Lhs {
			if len(assign.Lhs) != len(assign.Rhs) {
				break
			}
			switch l := ast.Unparen(l).(type) {
			case *ast.SelectorExpr:
				if id, ok := ast.Unparen(l.X).(*ast.Ident); ok && l.Sel.Name == field && s.pkg.Info.ObjectOf(id) == obj {
					given = append(given, assign.Rhs[i])
				}
			case *ast.Ident:
				if _, call := ast.Unparen(assign.Rhs[i]).(*ast.CallExpr); !call && s.pkg.Info.ObjectOf(l) == obj {
					if v := s.initialValue(assign.Rhs[i], field); v != nil {
						given = append(given, v)
					}
				}
			}
		}
		return true
	})
	if len(given) != 1 {
		return nil
	}
	param, ok := ast.Unparen(given[0]).(*ast.Ident)
	if !ok {
		return nil
	}
	for v := range b.Func.Signature().Params().Variables() {
		if types.Object(v) == s.pkg.Info.ObjectOf(param) {
			return v
		}
	}
	return nil
}

// madeKey is what stands for e, a part of a local that the body has made, as key does for
// x.Key() and x.key after x := newX(key); nil if it is no such part.
func (s *search) madeKey(st *bodyState, e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	field := ""
	var on ast.Expr
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 0 {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		on, field = sel.X, s.getsField(s.locks.Callee(call))
	} else if sel, ok := e.(*ast.SelectorExpr); ok {
		on, field = sel.X, sel.Sel.Name
	}
	local, ok := ast.Unparen(on).(*ast.Ident)
	if !ok || field == "" || s.pkg.Info.ObjectOf(local) == nil {
		return nil
	}
	if slices.ContainsFunc(st.body.Fn.Accesses, func(a *access.Access) bool {
		sel, ok := ast.Unparen(a.Expr).(*ast.SelectorExpr)
		return ok && a.Mode == atomicity.Write && sel.Sel.Name == field && s.isObject(sel.X, s.pkg.Info.ObjectOf(local))
	}) {
		return nil // it was given another one
	}
	return s.madeWith(st, local, field, e.Pos())
}

// getsField is the field of the receiver that the method does no more than return, or "".
func (s *search) getsField(fn *types.Func) string {
	b := s.pkg.ByFunc[fn]
	if b == nil || fn.Signature().Recv() == nil || len(b.Block.List) != 1 {
		return ""
	}
	ret, ok := b.Block.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return ""
	}
	sel, ok := ast.Unparen(ret.Results[0]).(*ast.SelectorExpr)
	if !ok || !s.isObject(sel.X, fn.Signature().Recv()) {
		return ""
	}
	return sel.Sel.Name
}

// putsWhatIsMissing says whether the entry looks a key up by a getter that asks another one,
// and the end puts something there by a setter of the container, or one that makes it: the key is the caller's.
func (f *finding) putsWhatIsMissing(end *hit) bool {
	return f.entry.Kind == access.MapElement && end.Kind == access.MapElement && f.entry.depth == 2 && end.depth == 1 && f.entry.keyArg != nil && end.keyArg != nil &&
		end.Mode == atomicity.Write && end.Method == "" && (len(end.stores) > 0 || f.putsUnlooked(end))
}

// putsUnlooked says whether the function that the end calls puts something new there and has no look at the map
// before: func (m *fs) Create(name string) *file { m.mu.Lock(); f := &file{}; m.files[name] = f; … }.
func (f *finding) putsUnlooked(end *hit) bool {
	b := f.pkg.ByFunc[f.locks.Callee(end.via)]
	if b == nil {
		return false
	}
	puts := false
	for _, o := range f.stateOf(b).order {
		if o.Var != end.Var {
			continue
		}
		if o.Mode == atomicity.Read {
			return puts
		}
		puts = puts || o.via == nil
	}
	return puts
}
