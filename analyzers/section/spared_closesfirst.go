package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// closesFirst says whether the body, whatever it finds, closes a channel of the object before it
// comes to the entry, which nobody makes anew: whoever comes second panics there.
//
//	close(p.closing)
//	for p.workers.Load() > 0 { … }
func (f *finding) closesFirst() bool {
	for block, events := range f.body.Events {
		for _, ev := range events {
			ch := f.closeOf(ev.Node)
			if ev.Kind != accesses.OnCall || ch == nil || ev.Node.Pos() > f.entry.Pos() || f.anyDecides(block) {
				continue
			}
			call := ev.Node.(*ast.CallExpr)
			pl, o := f.pkg.PlaceOf(ch), f.occurrenceOf(ch)
			if o != nil && o.Kind == access.Cell && o.Var.Obj.IsField() && pl.Root == f.entry.place.Root && f.staysAfter(pl) && !inLoop(f.body.Block, call) && f.madeOnce(o) {
				return true
			}
		}
	}
	return false
}

// madeOnce says whether the variable is set by nobody but those who make the object.
func (f *finding) madeOnce(o *occurrence) bool {
	for _, a := range f.ownAccesses(o.Var) {
		if a.Kind == access.Cell && a.Mode == atomicity.Write {
			return false
		}
	}
	return true
}
