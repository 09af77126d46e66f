package section

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// madeAnew says whether control comes to o only after the body has put a new object
// in the place of the one that the variable is a part of, as c.req = &request{}, and then
// c.req.n++: nothing of what was there before can be lost in it.
func (s *search) madeAnew(o *occurrence) bool {
	return slices.ContainsFunc(s.order, func(w *occurrence) bool {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.lit || !within(o.place, w.place) || !s.alwaysComesFrom(w, o) {
			return false
		}
		values := stored(w.Access)
		return len(values) == 1 && s.isNewObject(values[0], 0)
	})
}

// within says whether the one place is a proper part of what the other holds or points to.
func within(part, whole accesses.Place) bool {
	return part.Root == whole.Root && whole.Path != "" && strings.HasPrefix(part.Path, whole.Path+".")
}

// isNewObject says whether the expression is a literal, or the address of one, or new, or a
// call of a function of this package that returns such a one and nothing else.
func (s *search) isNewObject(e ast.Expr, depth int) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	if call, ok := e.(*ast.CallExpr); ok {
		if id, named := ast.Unparen(call.Fun).(*ast.Ident); named && s.pkg.Info.Types[id].IsBuiltin() {
			return id.Name == "new"
		}
		return depth < 3 && s.returnsNew(s.pkg.ByFunc[s.locks.Callee(call)], depth)
	}
	_, ok := e.(*ast.CompositeLit)
	return ok
}

// returnsNew says whether all that the function returns are new objects.
func (s *search) returnsNew(b *accesses.Body, depth int) bool {
	if b == nil {
		return false
	}
	found, other := false, false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 1 && s.isNewObject(n.Results[0], depth+1) {
				found = true
			} else {
				other = true
			}
		}
		return true
	})
	return found && !other
}
