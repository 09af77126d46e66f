package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// guardedThere says whether the variable belongs to an object with a lock of its own that
// is reached through a field of another one, as in c.account.total, and which other
// functions mostly hold for it, or for the struct around it: it is shared by whoever has a
// way to it.
func (f *finding) guardedThere() bool {
	u := f.shared.Use(f.entry.Var)
	if f.reach != shared.Unknown && f.reach != shared.Implied || f.entry.via != nil || !f.entry.place.Valid() || u == nil {
		return false
	}
	for e := f.entry.Cell; ; {
		sel := f.selectorOf(e)
		if sel == nil {
			return false
		}
		inner := f.selectorOf(sel.X)
		if inner == nil {
			return false
		}
		t := f.pkg.Info.TypeOf(inner)
		if _, ok := t.Underlying().(*types.Pointer); ok && f.shared.Concurrent(t) {
			around, _ := f.pkg.Info.ObjectOf(sel.Sel).(*types.Var)
			return f.guarded() || around != nil && f.partOfGuarded(u, access.Var{Obj: around.Origin()})
		}
		e = inner
	}
}

// partOfGuarded says whether other functions read the part under a lock, and none without,
// and write the struct around it under a lock.
func (f *finding) partOfGuarded(part *shared.Use, around access.Var) bool {
	for b := range part.Unguarded {
		if b.Outermost() != f.body.Outermost() {
			return false
		}
	}
	whole := f.shared.Use(around)
	return len(part.Guarded) > 0 && whole != nil && whole.MostlyGuarded(f.body)
}

// selectorOf is the selector that the expression is, or that the local stands for, or nil.
func (f *finding) selectorOf(e ast.Expr) *ast.SelectorExpr {
	for range 4 {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			return x
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.Ident:
			target := f.pkg.Aliases[f.pkg.Info.ObjectOf(x)]
			if target == nil {
				return nil
			}
			e = target
		default:
			return nil
		}
	}
	return nil
}

// locksForIt says whether the exported method, which asks for the entry in what it calls, takes the lock of the object in which
// the variable lies itself before it acts: the object lies behind the receiver, as the table of a queue does, and all go by its lock.
//
//	if q.table.Has(id) { return }
//	q.table.Lock(); q.table.ids[id] = true; q.table.Unlock()
func (f *finding) locksForIt(c *Candidate, end *hit) bool {
	fn := f.body.Func
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || c.Category != "unlock-relock" && c.Category != "rlock-upgrade" || c.Pattern != atomicity.TestAndUse ||
		end.via != nil || end.Mode != atomicity.Write || !end.Var.Contents || end.place.Root != types.Object(fn.Signature().Recv()) {
		return false
	}
	for l, m := range end.held {
		if object := l.Object(); m == locks.Exclusive && l.Root == end.place.Root && object.Path != "" && end.place.In(object) && f.shared.Use(end.Var) != nil && f.shared.Use(end.Var).GuardedBy(locks.ClassOf(l)) {
			return true
		}
	}
	return false
}
