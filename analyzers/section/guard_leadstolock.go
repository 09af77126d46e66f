package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// leadsToLock says whether what the write stores in a variable is the very object whose lock, of the
// class, is held there: c.items = append(c.items, it); it.owner = c. One has to read it.owner before one
// can take the lock of what it refers to, so that it is no rule for those who read it.
func (s *search) leadsToLock(w *occurrence, class string) bool {
	owner := w.lockOf(class).Root
	return w.Mode == atomicity.Write && w.Kind == access.Cell && owner != nil && owner != w.place.Root &&
		slices.ContainsFunc(stored(w.Access), func(v ast.Expr) bool {
			id, ok := ast.Unparen(v).(*ast.Ident)
			return ok && s.pkg.Info.Uses[id] == types.Object(owner)
		})
}
