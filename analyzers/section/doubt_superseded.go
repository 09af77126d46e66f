package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// superseded says whether another function stores objects in the variable on its own, and
// only those that are newer than what is there, by a part of theirs. What is fetched
// without the lock, because nothing was there, can be older than what has come since, and
// takes its place for good: to store it twice is not to store it once.
func (f *finding) superseded(end *hit) bool {
	if end.Mode != atomicity.Write || f.onlyNewer(end.occurrence) {
		return false
	}
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || f.shared.Constructing(b) {
			continue
		}
		f.bodyState = f.states[b]
		if slices.ContainsFunc(f.order, func(w *occurrence) bool {
			return w.Mode == atomicity.Write && w.Var == f.entry.Var && w.via == nil && w.held.Excludes() && f.reachOf(w) != shared.Private && f.onlyNewer(w)
		}) {
			return true
		}
	}
	return false
}

// onlyNewer says whether the body stores the object because a part of it comes after that
// part of the object which it has found there.
func (s *search) onlyNewer(w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		if r.Mode != atomicity.Read || !r.sameInstance(w) {
			return false
		}
		f := finding{search: s, entry: r}
		return f.newer(&hit{occurrence: w}) || f.newerPart(w)
	})
}

// newerPart says whether w stores an entry that is made there, of which a part comes after
// that part of what the entry has found: if e.rev < rev { m[k] = entry{v, rev} }.
func (f *finding) newerPart(w *occurrence) bool {
	values := stored(w.Access)
	if len(values) != 1 || w.via != nil {
		return false
	}
	made := ast.Unparen(values[0])
	if u, ok := made.(*ast.UnaryExpr); ok && u.Op == token.AND {
		made = ast.Unparen(u.X)
	}
	lit, ok := made.(*ast.CompositeLit)
	if !ok {
		return false
	}
	isPart := func(e ast.Expr) bool {
		return slices.ContainsFunc(lit.Elts, func(el ast.Expr) bool {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			return types.ExprString(el) == types.ExprString(e)
		})
	}
	isFound := func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		_, mine := f.values.of(sel.X)[f.entry.Access]
		return mine
	}
	for block, conds := range f.body.Conds {
		if ok, _ := f.decides(block, w.block); !ok {
			continue
		}
		found := false
		for _, cond := range conds {
			ast.Inspect(cond, func(n ast.Node) bool {
				for _, pair := range compared(n) {
					found = found || isPart(pair[0]) && isFound(pair[1]) || isPart(pair[1]) && isFound(pair[0])
				}
				return !found
			})
		}
		if found {
			return true
		}
	}
	return false
}
