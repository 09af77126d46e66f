package shared

import (
	"go/ast"

	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// taken raises a variable that the literal of a goroutine captures. It is kept apart from
// where the object came from: see untouched.
func (r *Result) taken(v *types.Var, to Reach) {
	if r.captured[v] < to {
		r.captured[v] = to
		r.listed = true // another round
	}
}

// untouched says whether a is about a field of an object that the goroutines which b starts
// have too, but only for its other fields: all who access this one run where b runs. What
// counts is whom b has got the object from.
func (r *Result) untouched(b *accesses.Body, a *access.Access) bool {
	if r.captured[a.Base] <= r.reach[a.Base] || r.reach[a.Base] == None || b.Parent != nil {
		return false
	}
	sel, ok := ast.Unparen(a.Cell).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); !ok || r.pkg.Info.Uses[id] != types.Object(a.Base) {
		return false
	}
	for user := range r.usersOf(a.Var) {
		for root := range r.of[user] {
			if _, same := r.of[b][root]; !same {
				return false
			}
		}
	}
	return true
}

// usersOf are the bodies that access the variable.
func (r *Result) usersOf(v access.Var) map[*accesses.Body]bool {
	if r.users == nil {
		r.users = map[access.Var]map[*accesses.Body]bool{}
		for _, b := range r.pkg.Bodies {
			for _, events := range b.Events {
				for _, ev := range events {
					if ev.Access == nil || ev.Access.Var.Obj == nil {
						continue
					}
					if r.users[ev.Access.Var] == nil {
						r.users[ev.Access.Var] = map[*accesses.Body]bool{}
					}
					r.users[ev.Access.Var][b] = true
				}
			}
		}
	}
	return r.users[v]
}
