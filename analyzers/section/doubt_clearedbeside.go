package section

import (
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// clearedBeside says whether a method that changes atomic variables of its object, as only one does
// that runs beside others, uses what a field refers to after the test of it, while an exported
// method that does not end the object sets the field to nil:
//
//	if u.limit != nil { u.limit.wait(n) }; u.sent.Add(n)
//	func (u *user) SetLimit(n int) { if n == 0 { u.limit = nil } … }
func (f *finding) clearedBeside(end *hit) bool {
	e := f.entry
	if f.reach < shared.Meant || end.via != nil || e.via != nil || end.place != e.place || !dangerous(end.Access) || !f.refersTo(end) || f.body.Func == nil || !f.isReceiver(e.Base) || f.readies() || endings.MatchString(f.body.Func.Name()) {
		return false
	}
	beside := false
	for _, o := range f.order {
		beside = beside || o.Kind == access.Atomic && o.Mode == atomicity.Write && indivisible(o.Access) && o.via == nil && o.place.Root == e.place.Root
	}
	if !beside || !f.shared.Locks(f.body.Func.Signature().Recv().Type()) {
		return false
	}
	for b := range f.shared.Use(e.Var).Clearers() {
		if b.Func != nil && b.Func != f.body.Func && b.Func.Exported() && !endings.MatchString(b.Func.Name()) && !f.shared.SetsGoing(b) && !f.shared.Constructing(b) {
			return true
		}
	}
	return false
}
