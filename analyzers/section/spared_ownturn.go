package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

const ownTurns = "each goroutine waits for a turn of its own"

// ownTurn says whether the test compares what was read, for equality, with a number that
// the object has of which each goroutine was given one of its own: turn%n == w.index. One
// goroutine alone passes it, until that one has stored the next turn.
func (f *finding) ownTurn() bool {
	for _, test := range f.trail.tests {
		for _, cond := range f.body.Conds[test] {
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			if !ok || b.Op != token.EQL && b.Op != token.NEQ {
				continue
			}
			for _, sides := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
				if _, read := f.values.of(sides[0])[f.entry.Access]; read && f.isOwnNumber(sides[1]) {
					return true
				}
			}
		}
	}
	return false
}

// isOwnNumber says whether e is a field, which nobody sets later, of an object of which each
// goroutine that comes here has one of its own.
func (f *finding) isOwnNumber(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	field, ok := f.pkg.Info.Uses[sel.Sel].(*types.Var)
	if !ok || !field.IsField() {
		return false
	}
	if u := f.shared.Use(access.Var{Obj: field.Origin()}); u != nil {
		for b := range u.Writes {
			if !f.shared.Constructing(b) {
				return false
			}
		}
	}
	tn := accesses.TypeName(f.pkg.Info.TypeOf(sel.X))
	return tn != nil && f.shared.OneForEach(f.body, tn)
}
