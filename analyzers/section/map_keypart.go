package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// keyFound is the key of the map v at which the local was found whose part is the key now:
// where all entries are kept by that part, as by x.m[s.ID] = s, they are one.
//
//	s := x.get(id)
//	x.m[s.ID] = s
func (s *search) keyFound(st *bodyState, local *ast.Ident, part string, v access.Var) string {
	obj := s.pkg.Info.ObjectOf(local)
	if part == "" || obj == nil || strings.HasSuffix(part, "()") || s.keyPart(v) != part {
		return ""
	}
	at := s.pkg.Order(local.Pos())
	list := st.values.assigns[obj]
	if len(list) == 1 {
		if other, ok := ast.Unparen(list[0].value).(*ast.Ident); ok { // another name of it
			obj = s.pkg.Info.ObjectOf(other)
			at, list = list[0].at, st.values.assigns[obj]
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		d := list[i]
		if d.at > at {
			continue
		}
		if d.from > at || at >= d.to || slices.ContainsFunc(st.values.parts[fieldOf{obj, part[1:]}], func(p assignment) bool { return d.at < p.at && p.at <= at }) {
			return ""
		}
		switch x := ast.Unparen(d.value).(type) {
		case *ast.IndexExpr:
			for _, a := range st.values.reads[x] {
				if a.Var == v && a.Kind == access.MapElement && a.Key != nil {
					return st.values.keyText(st.values.original(a.Key))
				}
			}
		case *ast.CallExpr:
			for _, o := range st.calls[x] {
				if o.Var == v && o.Kind == access.MapElement && o.Mode == atomicity.Read {
					return o.key
				}
			}
		}
		return ""
	}
	return ""
}

// keyPart is the part of the entries of the map that is their key, wherever the package puts
// one there, as ".ID"; or "".
func (s *search) keyPart(v access.Var) string {
	if s.partKeys == nil {
		s.partKeys = map[access.Var]string{}
		seen := map[*access.Function]bool{}
		for _, b := range s.pkg.Bodies {
			if seen[b.Fn] {
				continue
			}
			seen[b.Fn] = true
			for _, a := range b.Fn.Accesses {
				if a.Mode != atomicity.Write || a.Kind != access.MapElement || a.Method != "" || a.Key == nil {
					continue
				}
				part := s.partStoredAt(b, a)
				if known, ok := s.partKeys[a.Var]; ok && known != part {
					part = ""
				}
				s.partKeys[a.Var] = part
			}
		}
	}
	return s.partKeys[v]
}

// partStoredAt is the part of what w puts into a map that is the key of it.
func (s *search) partStoredAt(b *accesses.Body, w *access.Access) string {
	if s.traced[b.Fn] == nil {
		s.traced[b.Fn] = newValues(s.pkg, b.Fn)
	}
	values := stored(w)
	if len(values) != 1 {
		return ""
	}
	value, key := values[0], ast.Unparen(w.Key)
	for range 4 { // a local, its element of a list, the local that is put there, and how that is made
		value = ast.Unparen(value)
		if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
			value = ast.Unparen(u.X)
		}
		switch x := value.(type) {
		case *ast.Ident:
			if of, part := partOf(key); part != "" && s.isObject(of, s.pkg.Info.ObjectOf(x)) {
				return part
			}
			if value = s.traced[b.Fn].lastOf(s.pkg.Info.ObjectOf(x), s.pkg.Order(w.Pos())); value == nil {
				return ""
			}
		case *ast.CompositeLit:
			id, ok := key.(*ast.Ident)
			if !ok {
				return ""
			}
			return s.fieldThatIs(x, s.pkg.Info.ObjectOf(id))
		case *ast.CallExpr:
			if s.pushes(x) {
				value = x.Args[0]
				continue
			}
			return s.partOfMade(x, key)
		default:
			return ""
		}
	}
	return ""
}

// lastOf is what the local was set to by the last assignment before at, where that is surely
// it, or nil.
func (v *values) lastOf(obj types.Object, at token.Pos) ast.Expr {
	list := v.assigns[obj]
	for i := len(list) - 1; i >= 0; i-- {
		if d := list[i]; d.at <= at {
			if d.from > at || at >= d.to {
				return nil
			}
			return d.value
		}
	}
	return nil
}

// fieldThatIs is the field of the struct that the literal sets to the object, as ".ID"; or "".
func (s *search) fieldThatIs(lit *ast.CompositeLit, obj types.Object) string {
	t := s.pkg.Info.TypeOf(lit)
	if t == nil || obj == nil {
		return ""
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	fields, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for i, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && s.isObject(kv.Value, obj) {
				return "." + id.Name
			}
		} else if i < fields.NumFields() && s.isObject(el, obj) {
			return "." + fields.Field(i).Name()
		}
	}
	return ""
}

// partOfMade is the part that is the key in what a function of this package makes of its
// arguments, as newItem(key, v) does by one literal that it returns.
func (s *search) partOfMade(call *ast.CallExpr, key ast.Expr) string {
	id, ok := key.(*ast.Ident)
	b := s.pkg.ByFunc[s.locks.Callee(call)]
	if !ok || b == nil || b.Func == nil || len(b.Block.List) != 1 {
		return ""
	}
	ret, ok := b.Block.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return ""
	}
	made := ast.Unparen(ret.Results[0])
	if u, ok := made.(*ast.UnaryExpr); ok && u.Op == token.AND {
		made = ast.Unparen(u.X)
	}
	lit, ok := made.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	params := b.Func.Signature().Params()
	for i, a := range call.Args {
		if i < params.Len() && s.isObject(a, s.pkg.Info.ObjectOf(id)) {
			return s.fieldThatIs(lit, params.At(i))
		}
	}
	return ""
}

// pushes says whether the call puts its first argument into a list, and returns the element.
func (s *search) pushes(call *ast.CallExpr) bool {
	fn := s.locks.Callee(call)
	return fn != nil && len(call.Args) > 0 && isListElement(s.pkg.Info.TypeOf(call)) && fn.Signature().Recv() != nil
}

func isListElement(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && tn.Name() == "Element" && tn.Pkg() != nil && tn.Pkg().Path() == "container/list"
}

// elementOf looks through what an element of a list holds, e.Value.(*item), and a local that is
// that: a map of such elements is kept by a part of what they hold.
func (v *values) elementOf(x ast.Expr) ast.Expr {
	of := ast.Unparen(x)
	if id, ok := of.(*ast.Ident); ok {
		if list := v.assigns[v.pkg.Info.ObjectOf(id)]; len(list) == 1 && list[0].value != nil {
			of = ast.Unparen(list[0].value)
		}
	}
	if assertion, ok := of.(*ast.TypeAssertExpr); ok {
		if sel, ok := ast.Unparen(assertion.X).(*ast.SelectorExpr); ok && isListElement(v.pkg.Info.TypeOf(sel.X)) {
			return ast.Unparen(sel.X)
		}
	}
	return x
}
