package section

import (
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// filledMeanwhile says whether the end deletes an entry because of what the object that was
// found there has told, as that it is empty, while another goroutine gets the entry, or puts
// another one there, by a function that stores at a key: what that adds in between is deleted.
// Against this it does not help that one goroutine alone deletes.
//
//	c.mu.RLock(); l := c.lists[k]; c.mu.RUnlock()
//	if l.empty() { c.mu.Lock(); delete(c.lists, k); c.mu.Unlock() }
func (f *finding) filledMeanwhile(end *hit) bool {
	if f.entry.Kind != access.MapElement || f.entry.via != nil || end.Kind != access.MapElement || end.via != nil || end.Method != "delete" || !f.entry.held.Any() || !f.asksWhatIsFound(end) {
		return false
	}
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == f.body.Outermost() || f.shared.Constructing(b) {
			continue
		}
		if !slices.ContainsFunc(f.states[b].order, func(w *occurrence) bool {
			return w.Var == f.entry.Var && w.Mode == atomicity.Write && w.Kind == access.MapElement && w.via == nil && w.source().Method != "delete" && w.held.Any()
		}) {
			continue
		}
		if _, strong, _ := f.shared.RivalsAmong(f.body, f.entry.Var, map[*accesses.Body]bool{b: true}); strong {
			return true
		}
	}
	return false
}

// asksWhatIsFound says whether a test that decides about the end hands what was found to a
// call, or calls a method or reads a field of it, and so asks more than whether it is there.
func (f *finding) asksWhatIsFound(end *hit) bool {
	locals := f.holding(f.entry)
	of := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && slices.Contains(locals, f.pkg.Info.ObjectOf(id))
	}
	for _, test := range f.trail.tests {
		if ok, _ := f.decides(test, end.block); !ok {
			continue
		}
		for _, cond := range f.body.Conds[test] {
			asks := false
			ast.Inspect(cond, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					asks = asks || of(n.X)
				case *ast.CallExpr:
					asks = asks || slices.ContainsFunc(n.Args, of)
				}
				return !asks
			})
			if asks {
				return true
			}
		}
	}
	return false
}
