package accesses

import (
	"go/ast"
	"go/types"
)

// findHidden finds the types whose methods only this package can call: they are
// not exported, and neither an exported function, method, field or variable gives
// one away.
func (p *Package) findHidden() {
	p.shown = map[*types.TypeName]bool{}
	p.asked = map[string]bool{}
	for _, name := range commonMethods {
		p.asked[name] = true
	}
	if p.Types == nil || p.Types.Scope() == nil {
		return
	}
	for _, name := range p.Types.Scope().Names() {
		if obj := p.Types.Scope().Lookup(name); obj.Exported() {
			p.show(obj)
		}
	}
	p.showReturned()
	seen := p.ownInterfaces()
	for _, tv := range p.Info.Types {
		p.ask(tv.Type, seen)
	}
}

// showReturned notes the types of which exported functions return objects as interfaces: func New() Cache { return &cache{} }.
func (p *Package) showReturned() {
	for _, file := range p.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil || !decl.Name.IsExported() {
				continue
			}
			fn, ok := p.Info.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			sig := fn.Signature()
			if recv := sig.Recv(); recv != nil && !p.Shown(TypeName(recv.Type())) {
				continue
			}
			ast.Inspect(decl.Body, func(n ast.Node) bool {
				ret, ok := n.(*ast.ReturnStmt)
				if !ok {
					_, lit := n.(*ast.FuncLit)
					return !lit
				}
				for i, e := range ret.Results {
					if len(ret.Results) != sig.Results().Len() || !types.IsInterface(sig.Results().At(i).Type()) || p.Info.TypeOf(e) == nil {
						continue
					}
					if tn := TypeName(p.Info.TypeOf(e)); tn != nil {
						if named, ok := tn.Type().(*types.Named); ok && !types.IsInterface(named) {
							p.showNamed(named)
						}
					}
				}
				return true
			})
		}
	}
}

// Shown says whether users of the package come to objects of the type: it is exported, or something exported gives them away.
func (p *Package) Shown(tn *types.TypeName) bool {
	return tn != nil && (tn.Exported() || p.shown[tn])
}

// ownInterfaces are the interfaces that only this package can call through: they are not
// exported, and no exported name gives one away. What they ask for nobody else does.
func (p *Package) ownInterfaces() map[types.Type]bool {
	set := map[types.Type]bool{}
	for _, name := range p.Types.Scope().Names() {
		tn, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || tn.Exported() || p.shown[tn] {
			continue
		}
		if i, ok := tn.Type().Underlying().(*types.Interface); ok {
			set[tn.Type()], set[i] = true, true
		}
	}
	return set
}

// commonMethods are methods that other packages look for behind an interface.
var commonMethods = []string{
	"String", "Error", "GoString", "Format", "Close", "Read", "Write", "Lock", "Unlock", "Len", "Less", "Swap", "Push", "Pop",
	"ServeHTTP", "RoundTrip", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalYAML", "UnmarshalYAML",
}

// show notes the types of the package that an exported object gives to others.
func (p *Package) show(obj types.Object) {
	if _, ok := obj.(*types.TypeName); !ok {
		p.showType(obj.Type(), 0)
		return
	}
	named, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok {
		p.showType(obj.Type(), 0)
		return
	}
	p.showNamed(named)
}

func (p *Package) showNamed(named *types.Named) {
	tn := named.Origin().Obj()
	if tn.Pkg() != p.Types || p.shown[tn] {
		return
	}
	p.shown[tn] = true
	p.showType(named.Origin().Underlying(), 0)
	for m := range named.Origin().Methods() {
		if m.Exported() {
			p.showType(m.Type(), 0)
		}
	}
}

func (p *Package) showType(t types.Type, depth int) {
	if depth > 8 {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		p.showNamed(t)
		for a := range t.TypeArgs().Types() {
			p.showType(a, depth+1)
		}
	case *types.Pointer:
		p.showType(t.Elem(), depth+1)
	case *types.Slice:
		p.showType(t.Elem(), depth+1)
	case *types.Array:
		p.showType(t.Elem(), depth+1)
	case *types.Chan:
		p.showType(t.Elem(), depth+1)
	case *types.Map:
		p.showType(t.Key(), depth+1)
		p.showType(t.Elem(), depth+1)
	case *types.Signature:
		p.showType(t.Results(), depth+1)
		p.showType(t.Params(), depth+1)
	case *types.Tuple:
		for v := range t.Variables() {
			p.showType(v.Type(), depth+1)
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				p.showType(f.Type(), depth+1)
			}
		}
	}
}

// ask notes the methods of the interfaces that t mentions.
func (p *Package) ask(t types.Type, seen map[types.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if i, ok := t.Underlying().(*types.Interface); ok {
			p.ask(i, seen)
		} else if t.Obj().Pkg() == p.Types {
			p.ask(t.Underlying(), seen)
		}
	case *types.Interface:
		for m := range t.Methods() {
			p.asked[m.Name()] = true
		}
	case *types.Pointer:
		p.ask(t.Elem(), seen)
	case *types.Slice:
		p.ask(t.Elem(), seen)
	case *types.Signature:
		p.ask(t.Params(), seen)
		p.ask(t.Results(), seen)
	case *types.Tuple:
		for v := range t.Variables() {
			p.ask(v.Type(), seen)
		}
	case *types.Struct:
		for f := range t.Fields() {
			p.ask(f.Type(), seen)
		}
	}
}

// Exported says whether code outside the package can call the function: it is
// exported, and so is its receiver's type, or the package gives such objects away,
// or an interface asks for a method of the name.
func (p *Package) Exported(fn *types.Func) bool {
	if fn == nil || !ast.IsExported(fn.Name()) {
		return false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return true
	}
	tn := TypeName(recv.Type())
	return tn == nil || tn.Exported() || p.shown[tn] || p.asked[fn.Name()]
}

// TypeName is the name of t or of what t points to, generic types as declared; nil
// if it has none.
func TypeName(t types.Type) *types.TypeName {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}
