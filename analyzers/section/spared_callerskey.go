package section

import (
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

const ownKey = "each caller comes with a key of its own"

// callersKey says whether the function removes, when something has succeeded, the map entry
// that it has found at the key it was given, where all that enter one do so without a look
// whether there is one already, at a key that they are given: whoever calls it takes care
// that a key is used once, or entering would lose an entry as well. Who removes one of
// whatever keys, as what is out of date, may meet another who does.
func (f *finding) callersKey(end *hit) bool {
	if f.entry.Kind != access.MapElement || f.entry.via != nil || end.Kind != access.MapElement || end.via != nil ||
		end.Method != "delete" || f.entry.key != end.key || !f.givenKey(f.body, f.entry) || !f.onSuccess(end) {
		return false
	}
	entered := false
	for _, w := range f.ownAccesses(f.entry.Var) {
		if w.Mode != atomicity.Write {
			continue
		}
		if w.Kind != access.MapElement || !f.givenKey(w.body, w.occurrence) {
			return false
		}
		if w.Method == "delete" {
			continue
		}
		entered = true
		for _, r := range f.states[w.body].order {
			if r.Var == w.Var && r.Mode == atomicity.Read {
				return false
			}
		}
	}
	return entered
}

// reconciled says whether the sequence is about the entry of a map and is run by the workers of a
// controller alone: by a method Reconcile that is given a reconcile.Request of controller-runtime, whose
// queue gives the name of one object to one worker at a time, or by what that alone calls.
func (f *finding) reconciled(end *hit) bool {
	return (f.entry.Kind == access.MapElement || f.entry.Kind == access.SyncMap) && end.Kind == f.entry.Kind && f.byReconcile(f.body.Outermost(), 0)
}

func (s *search) byReconcile(b *accesses.Body, depth int) bool {
	if b.Func == nil || depth > 4 {
		return false
	}
	for p := range b.Func.Signature().Params().Variables() {
		if tn := accesses.TypeName(p.Type()); b.Func.Name() == "Reconcile" && tn != nil && tn.Name() == "Request" && tn.Pkg() != nil && strings.HasSuffix(tn.Pkg().Path(), "/reconcile") {
			return true
		}
	}
	callers := s.callersOf(b.Func)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(c *accesses.Body) bool { return !s.byReconcile(c.Outermost(), depth+1) })
}

// givenKey says whether the key of the map entry is a parameter of the exported function.
func (s *search) givenKey(b *accesses.Body, o *occurrence) bool {
	id, ok := keyIdent(o)
	return ok && b.Func != nil && b.Func.Exported() && hasParameter(b.Func.Signature(), s.pkg.Info.ObjectOf(id))
}

// onSuccess says whether control comes from the entry to the end only where a call has
// returned no error, and the function leaves with one otherwise: who comes second is told.
func (f *finding) onSuccess(end *hit) bool {
	for block, conds := range f.body.Conds {
		if !f.asksForError(conds) || !f.reaches(f.body.CFG.Blocks[f.entry.block], -1)[block] {
			continue
		}
		ok, way := f.decides(block, end.block)
		if ok && way == errorFree(conds[0]) && f.returnsError(f.body.CFG.Blocks[block].Succs[1-way].Nodes) {
			return true
		}
	}
	return false
}
