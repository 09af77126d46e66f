package variant

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// programs change what the package as a whole is.
var programs = []Variant{
	{"package-main", packageMain},
	{"type-generic", typeGeneric},
}

// packageMain makes a program of the package, whose main calls all that is exported,
// many times over and at the same time.
func packageMain(p *program) {
	p.file.Name.Name = "main"
	zero := func(sig *types.Signature) (string, bool) {
		var args []string
		for i := range sig.Params().Len() {
			t := sig.Params().At(i).Type()
			text := p.text(t)
			if text == "" {
				return "", false
			}
			if sig.Variadic() && i == sig.Params().Len()-1 {
				break
			}
			args = append(args, "*new("+text+")")
		}
		return strings.Join(args, ", "), true
	}
	var setup, calls []string
	for _, name := range p.pkg.Scope().Names() {
		switch obj := p.pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			sig := obj.Signature()
			args, ok := zero(sig)
			if !ok || sig.TypeParams() != nil || !obj.Exported() || strings.HasPrefix(name, "New") {
				continue
			}
			calls = append(calls, "go "+name+"("+args+")")
		case *types.TypeName:
			named, ok := obj.Type().(*types.Named)
			if !ok || named.TypeParams() != nil || obj.IsAlias() {
				continue
			}
			if _, ok := named.Underlying().(*types.Struct); !ok {
				continue
			}
			local := p.fresh("object")
			var made []string
			for i := range named.NumMethods() {
				m := named.Method(i)
				if args, ok := zero(m.Signature()); ok && ast.IsExported(m.Name()) {
					made = append(made, "go "+local+"."+m.Name()+"("+args+")")
				}
			}
			if made == nil {
				continue
			}
			setup = append(setup, local+" := "+p.construct(named, zero))
			calls = append(calls, made...)
		}
	}
	if calls == nil {
		return
	}
	p.declare("func main() {\n" + strings.Join(setup, "\n") + "\nfor {\n" + strings.Join(calls, "\n") + "\n}\n}")
	p.changed = true
}

// construct makes an object, by a function that does nothing else if there is one.
func (p *program) construct(named *types.Named, zero func(*types.Signature) (string, bool)) string {
	for _, name := range p.pkg.Scope().Names() {
		f, ok := p.pkg.Scope().Lookup(name).(*types.Func)
		if !ok || f.Signature().TypeParams() != nil || f.Signature().Results().Len() != 1 {
			continue
		}
		ptr, ok := f.Signature().Results().At(0).Type().(*types.Pointer)
		if !ok || ptr.Elem() != types.Type(named) {
			continue
		}
		if args, ok := zero(f.Signature()); ok {
			return name + "(" + args + ")"
		}
	}
	return "new(" + named.Obj().Name() + ")"
}

// typeGeneric gives the struct types that have methods and a lock a type parameter.
func typeGeneric(p *program) {
	chosen := map[*types.TypeName]bool{}
	for _, s := range p.structs() {
		for _, f := range s.syntax.Fields.List {
			if syncType(p.typeOf(f.Type)) != "" || atomicType(p.typeOf(f.Type)) != "" {
				chosen[s.named.Obj()] = true
			}
		}
	}
	if len(chosen) == 0 {
		return
	}
	argument := func(id *dst.Ident) dst.Expr {
		return &dst.IndexExpr{X: dst.NewIdent(id.Name), Index: dst.NewIdent("int")}
	}
	for _, d := range p.file.Decls {
		skip := map[dst.Node]bool{}
		if fn, ok := d.(*dst.FuncDecl); ok && fn.Recv != nil {
			dst.Inspect(fn.Recv, func(n dst.Node) bool {
				skip[n] = true
				return true
			})
		}
		p.instantiate(d, chosen, skip, argument)
	}
	dst.Inspect(p.file, func(n dst.Node) bool {
		switch n := n.(type) {
		case *dst.TypeSpec:
			if obj, ok := p.object(n.Name).(*types.TypeName); ok && chosen[obj] {
				n.TypeParams = &dst.FieldList{List: []*dst.Field{{Names: []*dst.Ident{dst.NewIdent("P")}, Type: dst.NewIdent("any")}}}
			}
		case *dst.FuncDecl:
			if n.Recv == nil {
				return true
			}
			t := &n.Recv.List[0].Type
			if star, ok := (*t).(*dst.StarExpr); ok {
				t = &star.X
			}
			if id, ok := (*t).(*dst.Ident); ok {
				if obj, ok := p.object(id).(*types.TypeName); ok && chosen[obj] {
					*t = &dst.IndexExpr{X: id, Index: dst.NewIdent("P")}
				}
			}
		}
		return true
	})
	p.changed = true
}

// instantiate gives the chosen types an argument wherever d uses them: the parameter
// itself in their methods and in one another.
func (p *program) instantiate(d dst.Decl, chosen map[*types.TypeName]bool, skip map[dst.Node]bool, argument func(*dst.Ident) dst.Expr) {
	fn, _ := d.(*dst.FuncDecl)
	within := func(name string) bool {
		for chosen := range chosen {
			if chosen.Name() == name {
				return true
			}
		}
		return false
	}
	parameter := fn != nil && fn.Recv != nil && within(typeName(fn.Recv.List[0].Type))
	if g, ok := d.(*dst.GenDecl); ok && len(g.Specs) == 1 {
		if spec, ok := g.Specs[0].(*dst.TypeSpec); ok {
			parameter = within(spec.Name.Name)
		}
	}
	p.replace(d, func(c *dstutil.Cursor, e dst.Expr) dst.Expr {
		id, ok := e.(*dst.Ident)
		if !ok || skip[id] {
			return nil
		}
		obj, ok := p.object(id).(*types.TypeName)
		if !ok || !chosen[obj] {
			return nil
		}
		if spec, ok := c.Parent().(*dst.TypeSpec); ok && spec.Name == id {
			return nil
		}
		if parameter {
			return &dst.IndexExpr{X: dst.NewIdent(id.Name), Index: dst.NewIdent("P")}
		}
		return argument(id)
	})
}
