package variant

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// wrapped put types of the package around those of package sync and others.
var wrapped = []Variant{
	{"lock-wrapped", lockWrapped},
	{"lock-with-function", lockWithFunction},
	{"atomic-wrapped", atomicWrapped},
	{"syncmap-wrapped", func(p *program) { p.wrapFields("sync.Map") }},
	{"syncmap-typed", syncMapTyped},
	{"map-wrapped", mapWrapped},
	{"select-extracted", selectExtracted},
	{"literal-assigned", literalAssigned},
}

// wrapFields gives the fields of the type, one of another package, a type of the package's own with the methods that are
// called.
func (p *program) wrapFields(of string) {
	for _, s := range p.structs() {
		for _, f := range s.syntax.Fields.List {
			if len(f.Names) != 1 || s.setsField(f.Names[0].Name) {
				continue
			}
			field := p.defines(f.Names[0])
			if field == nil || types.TypeString(field.Type(), nil) != of {
				continue
			}
			called := map[string]*types.Func{}
			uses, calls := 0, 0
			dst.Inspect(p.file, func(n dst.Node) bool {
				switch n := n.(type) {
				case *dst.SelectorExpr:
					if p.variable(n) == field {
						uses++
					}
				case *dst.CallExpr:
					sel, ok := n.Fun.(*dst.SelectorExpr)
					if !ok || p.variable(sel.X) != field {
						return true
					}
					if m, ok := p.object(sel.Sel).(*types.Func); ok {
						called[m.Name()] = m
						calls++
					}
				}
				return true
			})
			if uses != calls || calls == 0 {
				continue
			}
			name := p.fresh("kind")
			fits, text := true, "type "+name+" struct { in "+p.text(field.Type())+" }\n"
			for _, m := range called {
				declared := p.forward(name, m)
				fits = fits && declared != ""
				text += declared
			}
			if !fits || p.text(field.Type()) == "" {
				continue
			}
			p.declare(text)
			f.Type = dst.NewIdent(name)
			p.changed = true
		}
	}
}

// forward declares the method of the type that calls the one of what is in it.
func (p *program) forward(name string, m *types.Func) string {
	var params, args, results []string
	sig := m.Signature()
	for i := range sig.Params().Len() {
		text := p.text(sig.Params().At(i).Type())
		if text == "" || sig.Variadic() {
			return ""
		}
		arg := "a" + string(rune('0'+i))
		params, args = append(params, arg+" "+text), append(args, arg)
	}
	for v := range sig.Results().Variables() {
		text := p.text(v.Type())
		if text == "" {
			return ""
		}
		results = append(results, text)
	}
	call := "x.in." + m.Name() + "(" + strings.Join(args, ", ") + ")"
	if len(results) > 0 {
		call = "return " + call
	}
	return "func (x *" + name + ") " + m.Name() + "(" + strings.Join(params, ", ") + ") (" + strings.Join(results, ", ") + ") { " + call + " }\n"
}

func lockWrapped(p *program) {
	p.wrapFields("sync.Mutex")
	p.wrapFields("sync.RWMutex")
}

func atomicWrapped(p *program) {
	for _, kind := range []string{"Bool", "Int32", "Int64", "Uint32", "Uint64"} {
		p.wrapFields("sync/atomic." + kind)
	}
}

// lockWithFunction hands critical sections, and the lock, to a generic function.
func lockWithFunction(p *program) {
	name := ""
	for _, fn := range p.functions() {
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			found := p.spans(list)
			for k := len(found) - 1; k >= 0; k-- {
				s := found[k]
				lock, method, _ := p.lockCall(list[s.first])
				if _, ptr := p.typeOf(lock).(*types.Pointer); ptr || method != "Lock" {
					continue
				}
				section := append([]dst.Stmt(nil), list[s.first+1:s.last]...)
				declared, ok := p.hoist(section)
				if !ok {
					continue
				}
				if name == "" {
					name = p.fresh("under")
					p.declare("func " + name + "[L sync.Locker](l L, do func()) { l.Lock(); defer l.Unlock(); do() }")
				}
				section = append(declared, statements(name+"(&arg0, func() { arg1 })", lock, section)...)
				list = append(append(list[:s.first:s.first], section...), list[s.last+1:]...)
				p.changed = true
			}
			return list
		})
	}
}

// mapWrapped gives maps in fields a type with methods.
func mapWrapped(p *program) {
	owners, made := p.fieldOwners(), map[*types.Var]string{}
	methods := map[string]bool{}
	typed := func(f field) string {
		m, ok := f.v.Type().(*types.Map)
		if !ok || p.text(m.Key()) == "" || p.text(m.Elem()) == "" {
			return ""
		}
		if made[f.v] == "" {
			made[f.v] = p.fresh("table")
			p.declare("type " + made[f.v] + " map[" + p.text(m.Key()) + "]" + p.text(m.Elem()))
			for _, decl := range f.owner.syntax.Fields.List {
				if slices.ContainsFunc(decl.Names, func(id *dst.Ident) bool { return p.defines(id) == f.v }) && len(decl.Names) == 1 {
					decl.Type = dst.NewIdent(made[f.v])
				}
			}
		}
		return made[f.v]
	}
	method := func(f field, name, text string) string {
		of := typed(f)
		if of == "" {
			return ""
		}
		m := f.v.Type().(*types.Map)
		name += strings.TrimPrefix(of, "table")
		if !methods[of+name] {
			methods[of+name] = true
			p.declare(strings.NewReplacer("TABLE", of, "NAME", name, "KEY", p.text(m.Key()), "ELEM", p.text(m.Elem())).Replace(text))
		}
		return name
	}
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		switch s := s.(type) {
		case *dst.AssignStmt:
			if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
				return nil
			}
			if x, ok := s.Lhs[0].(*dst.IndexExpr); ok {
				if f := p.fieldOf(x.X, owners); f.sel != nil {
					if name := method(f, "put", "func (t TABLE) NAME(k KEY, v ELEM) { t[k] = v }"); name != "" {
						return statements("arg0."+name+"(arg1, arg2)", f.sel, x.Index, s.Rhs[0])
					}
				}
			}
		case *dst.ExprStmt:
			call, ok := s.X.(*dst.CallExpr)
			if !ok || len(call.Args) != 2 || path(call.Fun) != "delete" {
				return nil
			}
			if f := p.fieldOf(call.Args[0], owners); f.sel != nil {
				if name := method(f, "drop", "func (t TABLE) NAME(k KEY) { delete(t, k) }"); name != "" {
					return statements("arg0."+name+"(arg1)", f.sel, call.Args[1])
				}
			}
		}
		return nil
	})
	p.replace(p.file, func(c *dstutil.Cursor, e dst.Expr) dst.Expr {
		x, ok := e.(*dst.IndexExpr)
		if !ok || !p.onlyRead(c, e) {
			return nil
		}
		f := p.fieldOf(x.X, owners)
		if f.sel == nil {
			return nil
		}
		name, text := "at", "func (t TABLE) NAME(k KEY) ELEM { return t[k] }"
		if a, ok := c.Parent().(*dst.AssignStmt); ok && len(a.Lhs) == 2 && len(a.Rhs) == 1 {
			name, text = "find", "func (t TABLE) NAME(k KEY) (ELEM, bool) { v, ok := t[k]; return v, ok }"
		}
		if name = method(f, name, text); name == "" {
			return nil
		}
		return expression("arg0."+name+"(arg1)", f.sel, x.Index)
	})
}

// selectExtracted looks by methods whether a channel is closed.
func selectExtracted(p *program) {
	for _, fn := range p.functions() {
		name := receiver(fn)
		if name == "" {
			continue
		}
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			for i, s := range list {
				sel, ok := s.(*dst.SelectStmt)
				if !ok || len(sel.Body.List) != 2 {
					continue
				}
				looks, otherwise := sel.Body.List[0].(*dst.CommClause), sel.Body.List[1].(*dst.CommClause)
				if looks.Comm == nil || otherwise.Comm != nil || len(otherwise.Body) > 0 || mentions(looks, func(n dst.Node) bool { _, ok := n.(*dst.BranchStmt); return ok }) {
					continue
				}
				e, ok := looks.Comm.(*dst.ExprStmt)
				if !ok {
					continue
				}
				recv, ok := e.X.(*dst.UnaryExpr)
				if !ok || !strings.HasPrefix(path(recv.X), name+".") {
					continue
				}
				made := p.fresh("over")
				p.declare("func ("+name+" arg0) "+made+"() bool { select { case <-arg1: return true; default: return false } }", copyOf(fn.Recv.List[0].Type), copyOf(recv.X))
				p.from[typeName(fn.Recv.List[0].Type)+"."+made] = key(fn)
				list[i] = statements("if "+name+"."+made+"() { arg0 }", looks.Body)[0]
				p.changed = true
			}
			return list
		})
	}
}

// literalAssigned sets the fields of new objects one by one.
func literalAssigned(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		var at *dst.Expr
		name, define := "", false
		switch s := s.(type) {
		case *dst.ReturnStmt:
			if len(s.Results) > 0 {
				at = &s.Results[0]
			}
		case *dst.AssignStmt:
			if len(s.Lhs) == 1 && len(s.Rhs) == 1 && s.Tok == token.DEFINE {
				at, name, define = &s.Rhs[0], path(s.Lhs[0]), true
			}
		}
		if at == nil {
			return nil
		}
		u, ok := (*at).(*dst.UnaryExpr)
		if !ok || u.Op != token.AND {
			return nil
		}
		lit, ok := u.X.(*dst.CompositeLit)
		if !ok || len(lit.Elts) == 0 || lit.Type == nil {
			return nil
		}
		if !define {
			name = p.fresh("made")
		}
		made := []dst.Stmt{s}
		if !define {
			made = statements(name+" := arg0", u)
		}
		for _, e := range lit.Elts {
			kv, ok := e.(*dst.KeyValueExpr)
			if !ok || path(kv.Key) == "" {
				return nil
			}
			if inner, ok := kv.Value.(*dst.CompositeLit); ok && inner.Type == nil {
				return nil
			}
			made = append(made, statements(name+"."+path(kv.Key)+" = arg0", kv.Value)...)
		}
		lit.Elts = nil
		if !define {
			*at = dst.NewIdent(name)
			made = append(made, s)
		}
		return made
	})
}
