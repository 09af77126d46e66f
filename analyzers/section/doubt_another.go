package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// storesAnother says whether the end stores an object that the body has just made, and
// that others change: what is put into the first of two is gone once the second has taken
// its place.
func (f *finding) storesAnother(end *hit) bool {
	values := stored(end.source())
	if end.via != nil && len(end.stores) > 0 {
		values = end.stores
	}
	if end.Mode != atomicity.Write || len(values) != 1 {
		return false
	}
	t := f.pkg.Info.TypeOf(values[0])
	return t != nil && f.isSomebody(t) && f.madeHere(values[0])
}

// madeHere says whether v is a new object, or a local that is nothing else where it is not
// what the entry has read.
func (f *finding) madeHere(v ast.Expr) bool {
	id, ok := ast.Unparen(v).(*ast.Ident)
	if !ok {
		return f.values.isNew(v)
	}
	made := false
	for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
		switch {
		case f.values.reads[ast.Unparen(d.value)] != nil:
		case !f.values.isNew(d.value):
			return false
		default:
			made = true
		}
	}
	return made
}

// actsBelow says whether the function that stores also calls what it was given to tell
// of it, starts a goroutine or sends, or always changes another variable as well, or
// closes a channel.
func (f *finding) actsBelow(end *hit) bool {
	if end.via == nil || end.lit || end.depth > 1 {
		return false
	}
	if _, below := f.straight(end.via); slices.ContainsFunc(below, func(ev accesses.Event) bool {
		return ev.Access != nil && ev.Access.Mode == atomicity.Write && ev.Access.Var != end.Var || ev.Kind == accesses.OnCall && f.closeOf(ev.Node) != nil
	}) {
		return true
	}
	b := f.pkg.ByFunc[f.locks.Callee(end.via)]
	return b != nil && slices.ContainsFunc(b.Events, func(events []accesses.Event) bool {
		return slices.ContainsFunc(events, func(ev accesses.Event) bool {
			switch ev.Kind {
			case accesses.OnGo, accesses.OnSend:
				return true
			case accesses.OnCall:
				return f.callsField(ev.Node.(*ast.CallExpr))
			}
			return false
		})
	})
}

// callsField says whether what is called is the value of a field.
func (s *search) callsField(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := s.pkg.Info.Uses[sel.Sel].(*types.Var)
	return ok && v.IsField()
}
