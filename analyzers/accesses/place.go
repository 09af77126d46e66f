package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A Place identifies memory within one function: the object at the root of an
// expression and the path of fields from there. Two expressions with the same
// place denote the same memory unless the root or a pointer on the path was
// changed in between. Place is comparable; the zero Place is no place.
type Place struct {
	Root types.Object
	Path string // ".a.b", "" for the root itself
}

// Valid says that the place has a root.
func (pl Place) Valid() bool { return pl.Root != nil }

func (pl Place) String() string {
	if pl.Root == nil {
		return strings.TrimPrefix(pl.Path, ".")
	}
	return pl.Root.Name() + pl.Path
}

// PlaceOf is the place that e denotes; dereferences and address-of are looked
// through. The zero Place stands for what has no stable name, such as the
// result of a call.
func (p *Package) PlaceOf(e ast.Expr) Place {
	return p.place(e, 0)
}

func (p *Package) place(e ast.Expr, depth int) Place {
	if depth > 20 {
		return Place{}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := p.Info.ObjectOf(e)
		if _, ok := obj.(*types.Var); !ok {
			return Place{}
		}
		if target := p.Aliases[obj]; target != nil {
			return p.place(target, depth+1)
		}
		return Place{Root: obj}
	case *ast.StarExpr:
		return p.place(e.X, depth+1)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return p.place(e.X, depth+1)
		}
	case *ast.SelectorExpr:
		sel := p.Info.Selections[e]
		if sel == nil {
			if v, ok := p.Info.Uses[e.Sel].(*types.Var); ok {
				return Place{Root: v}
			}
			return Place{}
		}
		if sel.Kind() != types.FieldVal {
			return Place{}
		}
		if p.isCondLock(e) {
			if l := p.lockBeside(e, depth); l.Valid() {
				return l
			}
		}
		base := p.place(e.X, depth+1)
		if !base.Valid() {
			return Place{}
		}
		return Place{base.Root, base.Path + FieldPath(sel)}
	case *ast.IndexExpr:
		base := p.place(e.X, depth+1)
		if !base.Valid() {
			return Place{}
		}
		return Place{base.Root, base.Path + "[" + types.ExprString(e.Index) + "]"}
	case *ast.CallExpr:
		if pl := p.givenBack(e, depth+1); pl.Valid() {
			return pl
		}
		if pl := p.gottenPlace(e, depth+1); pl.Valid() {
			return pl
		}
		return p.selected(e, depth+1)
	}
	return Place{}
}

// givenBack is the receiver of a Lock or RLock that gives it back, as in
// defer l.Lock().Unlock(); the zero Place for other calls.
func (p *Package) givenBack(call *ast.CallExpr, depth int) Place {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Lock" && sel.Sel.Name != "RLock" {
		return Place{}
	}
	s := p.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return Place{}
	}
	sig := s.Obj().(*types.Func).Signature()
	if _, ok := sig.Recv().Type().(*types.Pointer); !ok || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), sig.Recv().Type()) {
		return Place{}
	}
	base := p.place(sel.X, depth)
	if base.Valid() {
		base.Path += FieldPath(s)
	}
	return base
}

// FieldPath spells out the fields that sel goes through, the embedded ones
// included, but for a method not the method itself: ".Server.mu".
func FieldPath(sel *types.Selection) string {
	index := sel.Index()
	if sel.Kind() != types.FieldVal {
		index = index[:len(index)-1]
	}
	t := sel.Recv()
	path := ""
	for _, i := range index {
		f := field(t, i)
		if f == nil {
			return path + ".?"
		}
		path += "." + f.Name()
		t = f.Type()
	}
	return path
}

func field(t types.Type, i int) *types.Var {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return nil
	}
	return s.Field(i)
}

// IsGlobal says whether the object is a package-level variable, of this package
// or another one. It may be nil, where a name has no object because of a type error.
func IsGlobal(obj types.Object) bool {
	return obj != nil && (obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() || IsHidden(obj))
}

// Hidden stands for a package-level variable of another package that is not
// exported, so that nothing but its name is known.
func Hidden(pkg *types.Package, name string) *types.Var {
	v := types.NewVar(token.NoPos, pkg, name, types.NewStruct(nil, nil))
	// A scope of its own tells it from a local, which has none when imported.
	types.NewScope(nil, token.NoPos, token.NoPos, "hidden").Insert(v)
	return v
}

// IsHidden says whether the object comes from Hidden.
func IsHidden(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() != nil && v.Parent().Parent() == nil && v.Parent() != v.Pkg().Scope()
}
