package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// startsBelow says whether the callee that makes the end also starts a goroutine, whenever it
// does: two of them are not one.
func (f *finding) startsBelow(end *hit) bool {
	w, st := f.writeBelow(end)
	if w == nil {
		return false
	}
	current := f.bodyState
	defer func() { f.bodyState = current }()
	f.bodyState = st
	for block, events := range st.body.Events {
		for index, ev := range events {
			at := &occurrence{Access: w.Access, block: block, index: index}
			if ev.Kind == accesses.OnGo && (f.alwaysComesFrom(at, w) || f.alwaysComesFrom(w, at)) {
				return true
			}
		}
	}
	return false
}

// changedAbove says whether the callee that makes the end returns what it stores, and the body
// changes that afterwards: of two goroutines that store one each, one changes what is lost.
//
//	if !ok { s = x.begin(name) }         // x.services[name] = s; return s
//	s.subs[id] = fn
func (f *finding) changedAbove(end *hit) bool {
	w, st := f.writeBelow(end)
	if w == nil || !st.provides(w) {
		return false
	}
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		v, ok := o.place.Root.(*types.Var)
		return ok && o.Mode == atomicity.Write && o.place.Path != "" && f.leadsTo(end.occurrence, o) && slices.ContainsFunc(f.values.assigns[v], func(d assignment) bool {
			return ast.Unparen(d.value) == ast.Expr(end.via)
		})
	})
}

// writeBelow is the end in the callee that makes it itself, and what is known of that.
func (f *finding) writeBelow(end *hit) (*occurrence, *bodyState) {
	if end.via == nil || end.lit || end.depth > 1 || end.Mode != atomicity.Write {
		return nil, nil
	}
	b := f.pkg.ByFunc[f.locks.Callee(end.via)]
	if b == nil || f.states[b] == nil || f.states[b].occ[end.source()] == nil {
		return nil, nil
	}
	return f.states[b].occ[end.source()], f.states[b]
}
