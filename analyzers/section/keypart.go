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
	value := ast.Unparen(values[0])
	if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
		value = ast.Unparen(u.X)
	}
	local, isLocal := value.(*ast.Ident)
	if x, part := partOf(w.Key); part != "" && isLocal && s.isObject(x, s.pkg.Info.ObjectOf(local)) {
		return part
	}
	if isLocal {
		list := s.traced[b.Fn].assigns[s.pkg.Info.ObjectOf(local)]
		if len(list) != 1 {
			return ""
		}
		if value = ast.Unparen(list[0].value); value != nil {
			if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
				value = ast.Unparen(u.X)
			}
		}
	}
	key, ok := ast.Unparen(w.Key).(*ast.Ident)
	lit, isLit := value.(*ast.CompositeLit)
	if !ok || !isLit {
		return ""
	}
	if _, isStruct := s.traced[b.Fn].underlying(lit).(*types.Struct); !isStruct {
		return ""
	}
	for _, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok && s.isObject(kv.Value, s.pkg.Info.ObjectOf(key)) {
			if id, ok := kv.Key.(*ast.Ident); ok {
				return "." + id.Name
			}
		}
	}
	return ""
}
