package variant

import (
	"go/types"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// owners change what the variables belong to, and what a function is a method of.
var owners = []Variant{
	{"fields-embedded", fieldsEmbedded},
	{"fields-pointer", fieldsPointer},
	{"body-function", bodyFunction},
}

// lockedStructs calls edit for the structs that have a lock, with their fields but those that are embedded.
func (p *program) lockedStructs(edit func(s *structType, stay, move []*dst.Field)) {
	for _, s := range p.structs() {
		var stay, move []*dst.Field
		lock := false
		for _, f := range s.syntax.Fields.List {
			if len(f.Names) == 0 {
				stay = append(stay, f)
				continue
			}
			lock = lock || syncType(p.typeOf(f.Type)) != ""
			move = append(move, f)
		}
		if lock && !s.unkeyed {
			edit(s, stay, move)
		}
	}
}

// fieldsEmbedded moves the fields of structs that have a lock, and the lock, into a struct that is embedded.
func fieldsEmbedded(p *program) {
	p.lockedStructs(func(s *structType, stay, move []*dst.Field) {
		name := p.fresh("base")
		for _, lit := range s.literals {
			p.within(lit, move, func(elts []dst.Expr) dst.Expr {
				return &dst.KeyValueExpr{Key: dst.NewIdent(name), Value: &dst.CompositeLit{Type: dst.NewIdent(name), Elts: elts}}
			}, false)
		}
		p.declare("type "+name+" arg0", &dst.StructType{Fields: &dst.FieldList{List: move}})
		s.syntax.Fields.List = append(stay, &dst.Field{Type: dst.NewIdent(name)})
		p.changed = true
	})
}

// fieldsPointer moves the fields of structs that have a lock into a struct that they have a pointer to.
func fieldsPointer(p *program) {
	p.lockedStructs(func(s *structType, stay, move []*dst.Field) {
		if !s.made() {
			return
		}
		inner, name := p.fresh("state"), p.fresh("inside")
		moved := map[*types.Var]bool{}
		for _, f := range move {
			for _, id := range f.Names {
				moved[p.defines(id)] = true
			}
		}
		for _, lit := range s.literals {
			p.within(lit, move, func(elts []dst.Expr) dst.Expr {
				made := expression("&" + name + "{}").(*dst.UnaryExpr)
				made.X.(*dst.CompositeLit).Elts = elts
				return &dst.KeyValueExpr{Key: dst.NewIdent(inner), Value: made}
			}, true)
		}
		p.declare("type "+name+" arg0", &dst.StructType{Fields: &dst.FieldList{List: move}})
		s.syntax.Fields.List = append(stay, &dst.Field{Names: []*dst.Ident{dst.NewIdent(inner)}, Type: &dst.StarExpr{X: dst.NewIdent(name)}})
		p.replace(p.file, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
			if sel, ok := e.(*dst.SelectorExpr); ok && p.variable(sel) != nil && moved[p.variable(sel)] {
				return &dst.SelectorExpr{X: &dst.SelectorExpr{X: sel.X, Sel: dst.NewIdent(inner)}, Sel: dst.NewIdent(sel.Sel.Name)}
			}
			return nil
		})
		p.changed = true
	})
}

// within puts the elements of the literal that are of the fields into another literal; always says that there is one even
// if none of the fields is named.
func (p *program) within(lit *dst.CompositeLit, fields []*dst.Field, made func([]dst.Expr) dst.Expr, always bool) {
	names := map[string]bool{}
	for _, f := range fields {
		for _, id := range f.Names {
			names[id.Name] = true
		}
	}
	var outer, inner []dst.Expr
	for _, e := range lit.Elts {
		if kv, ok := e.(*dst.KeyValueExpr); ok {
			if id, ok := kv.Key.(*dst.Ident); ok && names[id.Name] {
				inner = append(inner, e)
				continue
			}
		}
		outer = append(outer, e)
	}
	if inner != nil || always {
		outer = append(outer, made(inner))
	}
	lit.Elts = outer
}

// arguments are the names of the parameters of fn, as they are handed on; it is false where one has none.
func arguments(fn *dst.FuncDecl) (args []string, ok bool) {
	for _, f := range fn.Type.Params.List {
		_, variadic := f.Type.(*dst.Ellipsis)
		if len(f.Names) == 0 {
			return nil, false
		}
		for _, id := range f.Names {
			if id.Name == "_" {
				return nil, false
			}
			if variadic {
				args = append(args, id.Name+"...")
			} else {
				args = append(args, id.Name)
			}
		}
	}
	return args, true
}

// moveBody moves the body of the method into inner, and lets it call that.
func (p *program) moveBody(fn, inner *dst.FuncDecl, call string) {
	inner.Decs = dst.FuncDeclDecorations{}
	p.added = append(p.added, inner)
	p.from[key(inner)] = key(fn)
	if fn.Type.Results != nil {
		call = "return " + call
	}
	fn.Body = &dst.BlockStmt{List: statements(call)}
	p.changed = true
}

// bodyFunction moves the bodies of methods into functions that are given the object.
func bodyFunction(p *program) {
	for _, fn := range p.functions() {
		name := receiver(fn)
		args, ok := arguments(fn)
		if name == "" || name == "_" || !ok || len(fn.Body.List) == 0 {
			continue
		}
		inner := copyOf(fn)
		inner.Body = fn.Body
		inner.Name.Name = p.fresh("body")
		inner.Recv = nil
		inner.Type.Params.List = append([]*dst.Field{copyOf(fn.Recv.List[0])}, inner.Type.Params.List...)
		p.moveBody(fn, inner, inner.Name.Name+"("+strings.Join(append([]string{name}, args...), ", ")+")")
	}
}
