package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
)

// loadedFrom says whether the local refers to what the body of an exported method of an exported type has got out of
// its receiver by way of an atomic variable of that, and to nothing else:
//
//	n := m.index.Load().first(h); …; n = n.next()
//
// Who else calls the method comes to the same object.
func (f *finding) loadedFrom(local *types.Var) bool {
	fn := f.body.Func
	if local == nil || fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || local.Pkg() != f.pkg.Types {
		return false
	}
	recv := types.Object(fn.Signature().Recv())
	if tn := accesses.TypeName(recv.Type()); !f.pkg.Shown(tn) || f.shared.Object(f.body, fn.Signature().Recv()) < shared.Unknown || local == recv {
		return false
	}
	assigned, loaded := f.values.assigns[local], false
	for _, d := range assigned {
		if d.value == nil || !d.plain {
			return false
		}
		switch root := f.chainRoot(d.value); {
		case root == types.Object(local):
		case root != recv:
			return false
		default:
			loaded = loaded || f.loadsWithin(d.value, recv)
		}
	}
	return loaded
}

// chainRoot is the variable that a chain of fields, elements and calls of methods begins with.
func (s *search) chainRoot(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.CallExpr:
			sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
			if !ok {
				return nil
			}
			e = sel.X
		case *ast.Ident:
			return s.pkg.Info.ObjectOf(x)
		default:
			return nil
		}
	}
}

// loadsWithin says whether an atomic variable of the object is read in the expression.
func (s *search) loadsWithin(e ast.Expr, root types.Object) bool {
	for _, o := range s.order {
		if o.Kind == access.Atomic && o.place.Root == root && e.Pos() <= o.Pos() && o.Pos() < e.End() {
			return true
		}
	}
	return false
}
