package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// calledFirst is the class if the read o, of what is in a map, comes after the call of a method of
// the same object that takes a lock of the class and gives it back: the body leaves to it what it
// does about the map, but for this one look.
//
//	r.add(key, e)           // r.mu.Lock(); r.entries[key] = e; r.mu.Unlock()
//	use(r.entries[key].ids) // others add entries by now
func (s *search) calledFirst(o *occurrence, class string) string {
	if class == "" || len(o.held) > 0 || o.Kind != access.MapElement && o.Kind != access.MapWhole {
		return ""
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.before(o, ev) {
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if ok && o.place.Root != nil && s.pkg.PlaceOf(sel.X).Root == o.place.Root && s.keepsInside(s.pkg.ByFunc[s.locks.Callee(call)], o, class) {
				return class
			}
		}
	}
	return ""
}

// keepsInside says whether the body takes a lock of the class itself, and accesses what o reads with
// it held.
func (s *search) keepsInside(b *accesses.Body, o *occurrence, class string) bool {
	if b == nil || b.Func == nil || b.Func.Signature().Recv() == nil {
		return false
	}
	for _, k := range s.stateOf(b).order {
		if k.Var != o.Var || k.via != nil {
			continue
		}
		l := k.lockOf(class)
		if _, before := s.locks.Entry(b)[l]; l.Valid() && !before {
			return true
		}
	}
	return false
}
