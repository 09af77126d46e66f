package section

import (
	"fmt"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// doubleChecked finds tests without a lock of what the same function looks at again
// under the lock, where it then writes it. The second look tells that others come
// here too; the first one races with their writes.
func (s *search) doubleChecked() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.Single(s.body) || s.shared.SetsGoing(s.body) {
		return
	}
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.via != nil || len(o.held) > 0 || !o.place.Valid() ||
			o.Kind != access.Cell && o.Kind != access.MapElement || !o.Var.Obj.IsField() && !accesses.IsGlobal(o.Var.Obj) {
			continue
		}
		if s.reachOf(o) < shared.Meant || s.waitedBefore(o) || len(s.testsOf(o.Access, true)) == 0 {
			continue
		}
		if ok, strong, _ := s.shared.Rivals(s.body, o.Var); !ok || !strong {
			continue
		}
		second, lock := s.lookedAgain(o)
		if second == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), second.Pos())
		c.Roles = [2]string{"looked at without the lock", "looked at again with it"}
		c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, s.pkg.Name(o.Var))
		harm := "and may see the new value before what it refers to"
		if o.Kind == access.MapElement {
			harm = "and a map that is read while it is written ends the program"
		}
		c.Message = fmt.Sprintf("%s is looked at here without %s, under which it is looked at again and written: another goroutine can write it meanwhile, %s",
			types.ExprString(o.Expr), lock, harm)
		s.tell(c, o, second.Access)
		return
	}
}

// lookedAgain is the later read of the same instance in a hold of a lock that goes on
// to a write which the read decides about, and the lock.
func (s *search) lookedAgain(first *occurrence) (*occurrence, accesses.Place) {
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.via != nil || !w.sameInstance(first) || !s.leadsTo(first, w) {
			continue
		}
		for _, l := range w.held.Places() {
			if w.held[l] != locks.Exclusive || l.Root != first.place.Root && !accesses.IsGlobal(l.Root) {
				continue
			}
			for _, r := range s.order {
				if r != first && r.Mode == atomicity.Read && r.via == nil && r.sameInstance(w) && r.held.Holds(l) &&
					s.leadsTo(first, r) && s.oneHold(r, w) && s.decided(s.testsOf(r.Access, true), w.block) {
					return r, l
				}
			}
		}
	}
	return nil, accesses.Place{}
}
