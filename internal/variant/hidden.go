package variant

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// hidden put interfaces before types.
var hidden = []Variant{
	{"field-interface", fieldInterface},
	{"type-hidden", typeHidden},
}

// signature is the declaration of the method of an interface, "" where the file cannot write it.
func (p *program) signature(m *types.Func) string {
	text := p.text(m.Signature())
	if text == "" {
		return ""
	}
	return m.Name() + strings.TrimPrefix(text, "func")
}

// fieldInterface makes interfaces of the fields that are pointers to a type of the package, and whose methods are all that
// is used of them.
func fieldInterface(p *program) {
	for _, s := range p.structs() {
		for _, f := range s.syntax.Fields.List {
			star, ok := f.Type.(*dst.StarExpr)
			if !ok || len(f.Names) != 1 || s.unkeyed {
				continue
			}
			field, of := p.defines(f.Names[0]), typeObject(p.typeOf(star))
			if field == nil || of == nil || of.Pkg() != p.pkg || p.typeOf(star) == nil {
				continue
			}
			var methods []string
			fits := true
			dstutil.Apply(p.file, func(c *dstutil.Cursor) bool {
				sel, ok := c.Node().(*dst.SelectorExpr)
				if !ok || p.variable(sel) != field {
					return true
				}
				switch parent := c.Parent().(type) {
				case *dst.SelectorExpr:
					m, ok := p.object(parent.Sel).(*types.Func)
					if !ok || m.Pkg() != p.pkg || p.signature(m) == "" {
						fits = false
						return true
					}
					if text := p.signature(m); !slices.Contains(methods, text) {
						methods = append(methods, text)
					}
				case *dst.AssignStmt:
					fits = fits && slices.Contains(parent.Lhs, dst.Expr(sel))
				default:
					fits = false
				}
				return true
			}, nil)
			if !fits || len(methods) == 0 {
				continue
			}
			name := p.fresh("does")
			p.declare("type " + name + " interface {\n" + strings.Join(methods, "\n") + "\n}")
			f.Type = dst.NewIdent(name)
			p.changed = true
		}
	}
}

// typeHidden makes exported types that have a lock interfaces, which the types under another name are all that implements.
func typeHidden(p *program) {
	p.lockedStructs(func(s *structType, _, _ []*dst.Field) {
		name := s.spec.Name.Name
		if !s.made() || !ast.IsExported(name) {
			return
		}
		own := map[*types.Var]bool{}      // receivers, and locals that were just made
		methods := map[*types.Func]bool{} // says whether users of the interface come to it
		var order []*types.Func
		fits := true
		for _, fn := range p.functions() {
			if fn.Recv != nil && typeName(fn.Recv.List[0].Type) == name {
				m, _ := p.object(fn.Name).(*types.Func)
				_, star := fn.Recv.List[0].Type.(*dst.StarExpr)
				if m == nil || !star || p.signature(m) == "" {
					return
				}
				order, methods[m] = append(order, m), m.Exported()
				if receiver(fn) != "" {
					own[p.defines(fn.Recv.List[0].Names[0])] = true
				}
			}
		}
		dst.Inspect(p.file, func(n dst.Node) bool {
			a, ok := n.(*dst.AssignStmt)
			if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
				return true
			}
			u, ok := a.Rhs[0].(*dst.UnaryExpr)
			if id, isIdent := a.Lhs[0].(*dst.Ident); ok && isIdent && slices.ContainsFunc(s.literals, func(l *dst.CompositeLit) bool { return dst.Expr(l) == u.X }) {
				if v := p.defines(id); v != nil {
					own[v] = true
				}
			}
			return true
		})
		dst.Inspect(p.file, func(n dst.Node) bool {
			switch n := n.(type) {
			case *dst.SelectorExpr:
				id, ok := n.X.(*dst.Ident)
				if ok && own[p.variable(id)] {
					return true
				}
				if m, ok := p.object(n.Sel).(*types.Func); ok && slices.Contains(order, m) {
					methods[m] = true
				}
				if v := p.variable(n); v != nil && v.IsField() && p.typeOf(n.X) != nil && typeObject(p.typeOf(n.X)) == s.named.Obj() {
					fits = false
				}
			case *dst.AssignStmt:
				for _, l := range n.Lhs {
					if id, ok := l.(*dst.Ident); ok && p.defines(id) == nil && own[p.variable(id)] {
						fits = false
					}
				}
			}
			return true
		})
		var text []string
		for _, m := range order {
			if methods[m] {
				text = append(text, p.signature(m))
			}
		}
		if !fits || len(text) == 0 {
			return
		}
		p.hide(s, name, p.fresh("kind"))
		p.declare("type " + name + " interface {\n" + strings.Join(text, "\n") + "\n}")
		p.changed = true
	})
}

// hide names the type anew in its declaration, its methods and its literals, and makes all pointers to it interfaces.
func (p *program) hide(s *structType, name, inner string) {
	s.spec.Name = dst.NewIdent(inner)
	for _, lit := range s.literals {
		lit.Type = dst.NewIdent(inner)
	}
	for _, fn := range p.functions() {
		if fn.Recv != nil && typeName(fn.Recv.List[0].Type) == name {
			was := key(fn)
			fn.Recv.List[0].Type = &dst.StarExpr{X: dst.NewIdent(inner)}
			p.from[key(fn)] = was
		}
	}
	pointer := func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
		star, ok := e.(*dst.StarExpr)
		if !ok {
			return nil
		}
		if id, ok := star.X.(*dst.Ident); ok && (p.object(id) == types.Object(s.named.Obj()) || p.origin[id] == nil && id.Name == name) {
			return dst.NewIdent(name)
		}
		return nil
	}
	p.replace(p.file, pointer)
	for _, d := range p.added {
		p.replace(d, pointer)
	}
}
