package variant

import (
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// fields change where variables lie, and what their owner is called.
var fields = []Variant{
	{"receiver-alias", receiverAlias},
	{"parameter-alias", parameterAlias},
	{"fields-nested", fieldsNested},
	{"map-type-named", mapTypeNamed},
	{"operand-named", operandNamed},
}

// receiverAlias gives the receivers of methods another name.
func receiverAlias(p *program) {
	for _, fn := range p.functions() {
		if name := receiver(fn); name != "" && name != "_" {
			if _, ok := fn.Recv.List[0].Type.(*dst.StarExpr); ok {
				p.alias(fn, fn.Recv.List[0].Names[0])
			}
		}
	}
}

// parameterAlias gives parameters that are pointers, maps or channels another name.
func parameterAlias(p *program) {
	for _, fn := range p.functions() {
		for _, f := range fn.Type.Params.List {
			for _, id := range f.Names {
				if v := p.defines(id); v != nil {
					switch v.Type().Underlying().(type) {
					case *types.Pointer, *types.Map, *types.Chan:
						p.alias(fn, id)
					}
				}
			}
		}
	}
}

// alias makes fn use a copy of the variable that id declares, unless it is assigned to.
func (p *program) alias(fn *dst.FuncDecl, id *dst.Ident) {
	v := p.defines(id)
	is := func(e dst.Expr) bool {
		id, ok := e.(*dst.Ident)
		return ok && p.object(id) == v
	}
	uses := 0
	if v == nil || mentions(fn.Body, func(n dst.Node) bool {
		switch n := n.(type) {
		case *dst.Ident:
			if is(n) {
				uses++
			}
		case *dst.AssignStmt:
			for _, e := range n.Lhs {
				if is(e) {
					return true
				}
			}
		}
		return false
	}) || uses == 0 {
		return
	}
	name := p.fresh(id.Name)
	dst.Inspect(fn.Body, func(n dst.Node) bool {
		if id, ok := n.(*dst.Ident); ok && p.object(id) == v {
			id.Name = name
		}
		return true
	})
	fn.Body.List = append(statements(name+" := "+id.Name), fn.Body.List...)
	p.changed = true
}

// fieldsNested moves the fields of structs that have a lock into a struct beside it.
func fieldsNested(p *program) {
	for _, s := range p.structs() {
		var stay, move []*dst.Field
		var lock bool
		moved := map[*types.Var]bool{}
		for _, f := range s.syntax.Fields.List {
			if syncType(p.typeOf(f.Type)) != "" || len(f.Names) == 0 {
				lock = lock || syncType(p.typeOf(f.Type)) != ""
				stay = append(stay, f)
				continue
			}
			move = append(move, f)
			for _, id := range f.Names {
				moved[p.defines(id)] = true
			}
		}
		if !lock || len(move) == 0 || s.unkeyed {
			continue
		}
		inner, name := p.fresh("state"), p.fresh("inside")
		for _, lit := range s.literals {
			var outer, within []dst.Expr
			for _, e := range lit.Elts {
				if id, ok := e.(*dst.KeyValueExpr).Key.(*dst.Ident); ok {
					if v, ok := p.object(id).(*types.Var); ok && moved[v] {
						within = append(within, e)
						continue
					}
				}
				outer = append(outer, e)
			}
			if within != nil {
				outer = append(outer, &dst.KeyValueExpr{Key: dst.NewIdent(inner), Value: &dst.CompositeLit{Type: dst.NewIdent(name), Elts: within}})
			}
			lit.Elts = outer
		}
		p.declare("type "+name+" arg0", &dst.StructType{Fields: &dst.FieldList{List: move}})
		s.syntax.Fields.List = append(stay, &dst.Field{Names: []*dst.Ident{dst.NewIdent(inner)}, Type: dst.NewIdent(name)})
		p.replace(p.file, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
			if sel, ok := e.(*dst.SelectorExpr); ok && moved[p.variable(sel)] && p.variable(sel) != nil {
				return &dst.SelectorExpr{X: &dst.SelectorExpr{X: sel.X, Sel: dst.NewIdent(inner)}, Sel: dst.NewIdent(sel.Sel.Name)}
			}
			return nil
		})
		p.changed = true
	}
}

// mapTypeNamed gives the types of fields that are maps a name.
func mapTypeNamed(p *program) {
	for _, s := range p.structs() {
		for _, f := range s.syntax.Fields.List {
			if m, ok := f.Type.(*dst.MapType); ok {
				name := p.fresh("table")
				p.declare("type "+name+" arg0", m)
				f.Type = dst.NewIdent(name)
				p.changed = true
			}
		}
	}
}

// operandNamed reads channels and functions of fields into locals before they are used.
func operandNamed(p *program) {
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		field := func(e dst.Expr) bool {
			sel, ok := e.(*dst.SelectorExpr)
			v := p.variable(e)
			return ok && path(sel) != "" && v != nil && v.IsField()
		}
		name := func(e dst.Expr) ([]dst.Stmt, dst.Expr) {
			name := p.fresh("operand")
			return statements(name+" := arg0", e), dst.NewIdent(name)
		}
		var made []dst.Stmt
		switch s := s.(type) {
		case *dst.SendStmt:
			if field(s.Chan) {
				made, s.Chan = name(s.Chan)
			}
		case *dst.RangeStmt:
			if field(s.X) {
				made, s.X = name(s.X)
			}
		case *dst.ExprStmt:
			call, ok := s.X.(*dst.CallExpr)
			if !ok {
				return nil
			}
			if field(call.Fun) {
				made, call.Fun = name(call.Fun)
			} else if id, ok := call.Fun.(*dst.Ident); ok && id.Name == "close" && field(call.Args[0]) {
				made, call.Args[0] = name(call.Args[0])
			}
		}
		if made == nil {
			return nil
		}
		return append(made, s)
	})
}
