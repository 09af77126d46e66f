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

// madeAnew says whether control comes to the entry only after the body has put a new object
// in the place of the one that the variable is a part of, as c.req = &request{}, and then
// c.req.n++: nothing of what was there before can be lost in it.
func (f *finding) madeAnew() bool {
	return slices.ContainsFunc(f.order, func(w *occurrence) bool {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.lit || !within(f.entry.place, w.place) || !f.alwaysComesFrom(w, f.entry) {
			return false
		}
		values := stored(w.Access)
		return len(values) == 1 && f.isNewObject(values[0])
	})
}

// within says whether the one place is a proper part of what the other holds or points to.
func within(part, whole accesses.Place) bool {
	return part.Root == whole.Root && whole.Path != "" && strings.HasPrefix(part.Path, whole.Path+".")
}

// isNewObject says whether the expression is a literal, or the address of one, or new.
func (f *finding) isNewObject(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	if call, ok := e.(*ast.CallExpr); ok {
		id, named := ast.Unparen(call.Fun).(*ast.Ident)
		return named && f.pkg.Info.Types[id].IsBuiltin() && id.Name == "new"
	}
	_, ok := e.(*ast.CompositeLit)
	return ok
}
