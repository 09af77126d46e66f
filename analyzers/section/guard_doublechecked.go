package section

import (
	"fmt"
	"go/types"
	"slices"

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
			if s.testedBare(o) {
				return
			}
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

// testedBare tells of a test without a lock of what the same function writes below under the lock that all writers
// hold, without a second look, if nothing else is told of it: where both write the same, the test itself still races.
// What is no handler, and no goroutine of many, may be for one alone, which needs no lock to see what it has written.
//
//	if e.count < 0 {
//		n, err := countAll()
//		e.mu.Lock()
//		e.count = n
//		e.mu.Unlock()
//	}
func (s *search) testedBare(o *occurrence) bool {
	if o.Kind != access.Cell || !s.shared.Launched(s.body) || slices.ContainsFunc(s.found, func(c *Candidate) bool { return c.Sure && c.Entry == o.Access }) {
		return false
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.via != nil || w.Kind != access.Cell || !w.sameInstance(o) || !s.leadsTo(o, w) || !s.decided(s.testsOf(o.Access, true), w.block) {
			continue
		}
		for _, l := range w.held.Places() {
			if w.held[l] != locks.Exclusive || l.Root != o.place.Root && !accesses.IsGlobal(l.Root) || !s.allWrittenWith(o.Var, locks.ClassOf(l)) {
				continue
			}
			c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), w.Pos())
			c.Roles = [2]string{"tested without the lock", "set with it"}
			c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, s.pkg.Name(o.Var))
			c.Message = fmt.Sprintf("%s is tested here without %s, with which it is set below: another goroutine that comes here can set it meanwhile", types.ExprString(o.Expr), l)
			s.tell(c, o, w.Access)
			return true
		}
	}
	return false
}

// allWrittenWith says whether a lock of the class is held for writing wherever the variable is set, but in constructors.
func (s *search) allWrittenWith(v access.Var, class string) bool {
	return !slices.ContainsFunc(s.ownAccesses(v), func(w placed) bool {
		l := w.lockOf(class)
		return w.Mode == atomicity.Write && (!l.Valid() || w.held[l] != locks.Exclusive)
	})
}
