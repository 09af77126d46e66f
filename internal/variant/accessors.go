package variant

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// accessors put methods without a lock around the fields of structs.
var accessors = []Variant{
	{"getter-container", func(p *program) { p.getters(isContainer) }},
	{"getter-value", func(p *program) { p.getters(func(t types.Type) bool { return !isContainer(t) }) }},
	{"field-setter", fieldSetter},
	{"entry-methods", entryMethods},
	{"atomic-methods", atomicMethods},
	{"range-callback", rangeCallback},
}

func isContainer(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// fieldOwners are the structs of the package by their fields.
func (p *program) fieldOwners() map[*types.Var]*structType {
	owners := map[*types.Var]*structType{}
	for _, s := range p.structs() {
		for _, f := range s.syntax.Fields.List {
			for _, id := range f.Names {
				owners[p.defines(id)] = s
			}
		}
	}
	return owners
}

// A field is a selector of a field of one of the package's structs, by a pointer to it.
type field struct {
	sel   *dst.SelectorExpr
	v     *types.Var
	owner *structType
	text  string // its type
}

// fieldOf is the field that e selects; its sel is nil where e selects none whose methods could stand for it.
func (p *program) fieldOf(e dst.Expr, owners map[*types.Var]*structType) field {
	sel, ok := e.(*dst.SelectorExpr)
	if !ok {
		return field{}
	}
	v := p.variable(sel)
	s := owners[v]
	if v == nil || s == nil || p.typeOf(sel.X) == nil {
		return field{}
	}
	if _, ok := p.typeOf(sel.X).Underlying().(*types.Pointer); !ok || typeObject(p.typeOf(sel.X)) != s.named.Obj() {
		return field{}
	}
	text := p.text(v.Type())
	if text == "" || syncType(v.Type()) != "" {
		return field{}
	}
	return field{sel, v, s, text}
}

// methodName is the name of the method that stands for the field, which is declared when it is asked for first.
func (p *program) methodName(made map[string]string, f field, prefix, declaration string) string {
	key := prefix + " " + f.owner.spec.Name.Name + "." + f.v.Name()
	if made[key] == "" {
		made[key] = p.fresh(prefix)
		text := strings.NewReplacer("NAME", made[key], "OWNER", f.owner.spec.Name.Name, "FIELD", f.v.Name(), "TYPE", f.text).Replace(declaration)
		p.declare(text)
	}
	return made[key]
}

// getters make methods that return fields of the types that are asked for.
func (p *program) getters(which func(types.Type) bool) {
	owners, made := p.fieldOwners(), map[string]string{}
	p.replace(p.file, func(c *dstutil.Cursor, e dst.Expr) dst.Expr {
		f := p.fieldOf(e, owners)
		if f.sel == nil || !which(f.v.Type()) || !p.onlyRead(c, e) {
			return nil
		}
		switch f.v.Type().Underlying().(type) {
		case *types.Struct, *types.Array:
			return nil
		}
		name := p.methodName(made, f, "get", "func (x *OWNER) NAME() TYPE { return x.FIELD }")
		return &dst.CallExpr{Fun: &dst.SelectorExpr{X: f.sel.X, Sel: dst.NewIdent(name)}}
	})
}

// onlyRead says that the expression at the cursor is not assigned to, nor its address taken.
func (p *program) onlyRead(c *dstutil.Cursor, e dst.Expr) bool {
	switch n := c.Parent().(type) {
	case *dst.AssignStmt:
		for _, l := range n.Lhs {
			if l == e {
				return false
			}
		}
	case *dst.IncDecStmt:
		return false
	case *dst.UnaryExpr:
		return n.Op != token.AND
	case *dst.RangeStmt:
		return n.X == e
	}
	return true
}

// fieldSetter sets fields by methods.
func fieldSetter(p *program) {
	owners, made := p.fieldOwners(), map[string]string{}
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		a, ok := s.(*dst.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return nil
		}
		f := p.fieldOf(a.Lhs[0], owners)
		if f.sel == nil {
			return nil
		}
		name := p.methodName(made, f, "set", "func (x *OWNER) NAME(v TYPE) { x.FIELD = v }")
		return statements("arg0."+name+"(arg1)", f.sel.X, a.Rhs[0])
	})
}

// entryMethods looks entries of maps up, sets and deletes them by methods.
func entryMethods(p *program) {
	owners, made := p.fieldOwners(), map[string]string{}
	element := func(e dst.Expr) (field, dst.Expr, string, string) {
		x, ok := e.(*dst.IndexExpr)
		if !ok {
			return field{}, nil, "", ""
		}
		f := p.fieldOf(x.X, owners)
		if f.sel == nil {
			return f, nil, "", ""
		}
		m, ok := f.v.Type().Underlying().(*types.Map)
		if !ok {
			return field{}, nil, "", ""
		}
		key, elem := p.text(m.Key()), p.text(m.Elem())
		if key == "" || elem == "" {
			return field{}, nil, "", ""
		}
		return f, x.Index, key, elem
	}
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		switch s := s.(type) {
		case *dst.AssignStmt:
			if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
				return nil
			}
			if f, k, key, elem := element(s.Lhs[0]); f.sel != nil {
				name := p.methodName(made, f, "put", "func (x *OWNER) NAME(k "+key+", v "+elem+") { x.FIELD[k] = v }")
				return statements("arg0."+name+"(arg1, arg2)", f.sel.X, k, s.Rhs[0])
			}
		case *dst.ExprStmt:
			call, ok := s.X.(*dst.CallExpr)
			if !ok || len(call.Args) != 2 {
				return nil
			}
			if id, ok := call.Fun.(*dst.Ident); !ok || id.Name != "delete" {
				return nil
			}
			if f, k, key, _ := element(&dst.IndexExpr{X: call.Args[0], Index: call.Args[1]}); f.sel != nil {
				name := p.methodName(made, f, "drop", "func (x *OWNER) NAME(k "+key+") { delete(x.FIELD, k) }")
				return statements("arg0."+name+"(arg1)", f.sel.X, k)
			}
		}
		return nil
	})
	p.replace(p.file, func(c *dstutil.Cursor, e dst.Expr) dst.Expr {
		f, k, key, elem := element(e)
		if f.sel == nil || !p.onlyRead(c, e) {
			return nil
		}
		if a, ok := c.Parent().(*dst.AssignStmt); ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 {
			name := p.methodName(made, f, "find", "func (x *OWNER) NAME(k "+key+") ("+elem+", bool) { v, ok := x.FIELD[k]; return v, ok }")
			return expression("arg0."+name+"(arg1)", f.sel.X, k)
		}
		name := p.methodName(made, f, "at", "func (x *OWNER) NAME(k "+key+") "+elem+" { return x.FIELD[k] }")
		return expression("arg0."+name+"(arg1)", f.sel.X, k)
	})
}

// atomicMethods loads and stores atomics by methods of who owns them.
func atomicMethods(p *program) {
	owners, made := p.fieldOwners(), map[string]string{}
	p.replace(p.file, func(c *dstutil.Cursor, e dst.Expr) dst.Expr {
		call, ok := e.(*dst.CallExpr)
		if !ok {
			return nil
		}
		sel, ok := call.Fun.(*dst.SelectorExpr)
		if !ok {
			return nil
		}
		f := p.fieldOf(sel.X, owners)
		if f.sel == nil || !strings.HasPrefix(types.TypeString(f.v.Type(), nil), "sync/atomic.") {
			return nil
		}
		switch {
		case sel.Sel.Name == "Load" && len(call.Args) == 0 && p.typeOf(call) != nil && p.text(p.typeOf(call)) != "":
			name := p.methodName(made, f, "value", "func (x *OWNER) NAME() "+p.text(p.typeOf(call))+" { return x.FIELD.Load() }")
			return expression("arg0."+name+"()", f.sel.X)
		case sel.Sel.Name == "Store" && len(call.Args) == 1:
			obj, _ := p.object(sel.Sel).(*types.Func)
			if obj == nil || p.text(obj.Signature().Params().At(0).Type()) == "" {
				return nil
			}
			name := p.methodName(made, f, "store", "func (x *OWNER) NAME(v "+p.text(obj.Signature().Params().At(0).Type())+") { x.FIELD.Store(v) }")
			return expression("arg0."+name+"(arg1)", f.sel.X, call.Args[0])
		}
		return nil
	})
}

// rangeCallback goes over maps and slices by methods that call a function for each element.
func rangeCallback(p *program) {
	owners, made := p.fieldOwners(), map[string]string{}
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		r, ok := s.(*dst.RangeStmt)
		if !ok || r.Tok != token.DEFINE || mentions(r.Body, leaves) {
			return nil
		}
		f := p.fieldOf(r.X, owners)
		if f.sel == nil {
			return nil
		}
		var key, elem types.Type
		switch t := f.v.Type().Underlying().(type) {
		case *types.Map:
			key, elem = t.Key(), t.Elem()
		case *types.Slice:
			key, elem = types.Typ[types.Int], t.Elem()
		default:
			return nil
		}
		k, v := "_", "_"
		if id, ok := r.Key.(*dst.Ident); ok {
			k = id.Name
		}
		if id, ok := r.Value.(*dst.Ident); ok {
			v = id.Name
		}
		if p.text(key) == "" || p.text(elem) == "" {
			return nil
		}
		name := p.methodName(made, f, "each", "func (x *OWNER) NAME(do func("+p.text(key)+", "+p.text(elem)+")) { for k, v := range x.FIELD { do(k, v) } }")
		return statements("arg0."+name+"(func("+k+" "+p.text(key)+", "+v+" "+p.text(elem)+") { arg1 })", f.sel.X, r.Body.List)
	})
}
