package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// emptiesAgain says whether what the end stores at a key is a new and empty map or slice, which is there
// to be filled: whoever stores the second one takes away what has been put into the first.
//
//	if _, ok := r.groups[name]; !ok {
//		r.groups[name] = make(map[string]*member)
//	}
//
// Two of those are equal only for as long as nobody has put anything there.
func (f *finding) emptiesAgain(values []ast.Expr, end *hit) bool {
	if f.entry.Key == nil || len(values) == 0 {
		return false
	}
	t := f.pkg.Info.TypeOf(values[0])
	if t == nil || !f.madeEmpty(values[0], end) {
		return false
	}
	for _, b := range f.pkg.Bodies {
		if f.shared.Constructing(b) {
			continue
		}
		if slices.ContainsFunc(f.stateOf(b).order, func(o *occurrence) bool {
			if o.Mode != atomicity.Write || o.via != nil {
				return false
			}
			if _, isMap := t.Underlying().(*types.Map); isMap {
				return o.Kind == access.MapElement && o.Var == f.entry.Var && types.Identical(f.values.underlying(o.Cell), t.Underlying()) && (b != f.body || f.leadsTo(end.occurrence, o))
			}
			return o.Var == f.entry.Var && f.appends(o.Access)
		}) {
			return true
		}
	}
	return false
}

// madeEmpty says whether v is a map or slice that has just been made, and that nothing has been put into.
func (f *finding) madeEmpty(v ast.Expr, end *hit) bool {
	if id, ok := ast.Unparen(v).(*ast.Ident); ok {
		obj := f.pkg.Info.ObjectOf(id)
		if len(f.values.assigns[obj]) != 1 {
			return false
		}
		for _, d := range f.values.filled[obj] {
			if d.at < f.pkg.Order(end.Pos()) {
				return false
			}
		}
		v = f.values.assigns[obj][0].value
	}
	switch x := ast.Unparen(v).(type) {
	case *ast.CompositeLit:
		return len(x.Elts) == 0 && isMapOrSlice(f.pkg.Info.TypeOf(x))
	case *ast.CallExpr:
		id, ok := ast.Unparen(x.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := f.pkg.Info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "make" && isMapOrSlice(f.pkg.Info.TypeOf(x))
	}
	return false
}

func isMapOrSlice(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// sendsOnTested says whether the branch that the test leads to sends on the channel that was tested, and the end
// unsets it: the one that comes second sends once more, or on nil, for ever.
func (f *finding) sendsOnTested(end *hit) bool {
	return f.inBranch(end, func(ev accesses.Event) bool {
		send, ok := ev.Node.(*ast.SendStmt)
		return ok && ev.Kind == accesses.OnSend && slices.ContainsFunc(f.order, func(o *occurrence) bool {
			return o.Expr == send.Chan && o.Var == f.entry.Var && o.via == nil
		})
	})
}
