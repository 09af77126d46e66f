package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"
)

// typeExpr is the type as the file can write it at pos, in parentheses where
// it needs them; ok is false when something in it has no name there.
func (p *pass) typeExpr(t types.Type, pos token.Pos) (e dst.Expr, ok bool) {
	scope := p.plan.pkg.Types.Scope().Innermost(pos)
	if scope == nil {
		return nil, false
	}
	imports := map[string]string{} // package path → name it is imported by
	ok = true
	visible := func(obj types.Object, name string) bool {
		_, found := scope.LookupParent(name, pos)
		return found == obj
	}
	seen := map[types.Type]bool{}
	var check func(t types.Type)
	check = func(t types.Type) {
		if seen[t] || !ok {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Basic:
			ok = ok && (t.Kind() == types.UnsafePointer || visible(types.Universe.Lookup(t.Name()), t.Name()))
			if t.Kind() == types.UnsafePointer {
				ok = false
			}
		case *types.Alias:
			ok = ok && p.nameable(t.Obj(), visible, imports)
			for a := range typeArguments(t.TypeArgs()) {
				check(a)
			}
		case *types.Named:
			ok = ok && p.nameable(t.Obj(), visible, imports)
			for a := range typeArguments(t.TypeArgs()) {
				check(a)
			}
		case *types.TypeParam:
			ok = ok && visible(t.Obj(), t.Obj().Name())
		case *types.Pointer:
			check(t.Elem())
		case *types.Slice:
			check(t.Elem())
		case *types.Array:
			check(t.Elem())
		case *types.Chan:
			check(t.Elem())
		case *types.Map:
			check(t.Key())
			check(t.Elem())
		case *types.Interface:
			ok = ok && t.Empty() // others would need their methods' types
		default:
			ok = false
		}
	}
	check(t)
	if !ok {
		return nil, false
	}
	text := types.TypeString(t, func(other *types.Package) string {
		if other == p.plan.pkg.Types {
			return ""
		}
		return imports[other.Path()]
	})
	if i, isInterface := t.(*types.Interface); isInterface && i.Empty() {
		text = "interface{}"
	}
	switch t.(type) {
	case *types.Basic, *types.Named, *types.Alias, *types.TypeParam, *types.Slice, *types.Array, *types.Map, *types.Interface:
		return ident(text), true
	}
	return ident("(" + text + ")"), true
}

func typeArguments(list *types.TypeList) func(func(types.Type) bool) {
	return func(yield func(types.Type) bool) {
		for t := range list.Types() {
			if !yield(t) {
				return
			}
		}
	}
}

// nameable says whether the declared type can be written, and notes the name
// its package is imported by.
func (p *pass) nameable(obj *types.TypeName, visible func(types.Object, string) bool, imports map[string]string) bool {
	if obj.Pkg() == nil || obj.Pkg() == p.plan.pkg.Types {
		return visible(obj, obj.Name())
	}
	if !obj.Exported() {
		return false
	}
	for _, spec := range p.file.Imports {
		name := p.info.PkgNameOf(spec)
		if name != nil && name.Imported().Path() == obj.Pkg().Path() && name.Name() != "." && visible(name, name.Name()) {
			imports[obj.Pkg().Path()] = name.Name()
			return true
		}
	}
	return false
}

// isContextual says whether the type of e depends on what it is assigned to,
// although it is no constant: a comparison (untyped bool), or a shift of an
// untyped constant by a variable count.
func (p *pass) isContextual(e ast.Expr) bool {
	return p.isUntypedBool(e) || p.isUntypedShift(e)
}

func (p *pass) isUntypedBool(e ast.Expr) bool {
	if tvConst(p.info, e) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true
		case token.LAND, token.LOR:
			return (p.isUntypedBool(e.X) || tvConst(p.info, e.X)) && (p.isUntypedBool(e.Y) || tvConst(p.info, e.Y))
		}
	case *ast.UnaryExpr:
		return e.Op == token.NOT && p.isUntypedBool(e.X)
	}
	return false
}

func (p *pass) isUntypedShift(e ast.Expr) bool {
	if tvConst(p.info, e) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.SHL, token.SHR:
			return tvConst(p.info, e.X) || p.isUntypedShift(e.X)
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.AND_NOT:
			return (p.isUntypedShift(e.X) || tvConst(p.info, e.X)) && (p.isUntypedShift(e.Y) || tvConst(p.info, e.Y))
		}
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.ADD || e.Op == token.XOR) && p.isUntypedShift(e.X)
	}
	return false
}

// holdsPointers says whether a value of type t may point to anything.
func holdsPointers(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsNumeric|types.IsBoolean) == 0
	case *types.Array:
		return holdsPointers(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if holdsPointers(t.Field(i).Type()) {
				return true
			}
		}
		return false
	}
	return true
}
