package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// bareAfterLocked finds changes of a map without any lock in a function that has held one to change the same
// map before, and has given it back:
//
//	t.mu.Lock()
//	t.waiting[key] = ch
//	t.mu.Unlock()
//	answer := <-ch
//	delete(t.waiting, key)
//
// Whatever others do, the function itself shows that goroutines meet at the map, be it two that run it. That
// no other function may write the map without the lock is asked for since one goroutine may own it, and take
// the lock for what it shows others.
func (s *search) bareAfterLocked() {
	if !s.shared.Entered(s.body) && !s.shared.Launched(s.body) && !s.shared.Spawned(s.body) || s.readies() || s.builds() || s.lastOfAll() {
		return
	}
	told := map[access.Var]bool{}
	for _, o := range s.order {
		if o.via != nil || o.Kind != access.MapElement || o.Mode != atomicity.Write || len(o.held) > 0 || told[o.Var] || s.toldOfFlag(o.Var) ||
			s.reachOf(o) < shared.Meant || s.waitedForOthers(o) || s.madeAnew(o) || s.beforeReady(o) {
			continue
		}
		k, lock := s.changedLockedBefore(o)
		if k == nil || s.changedBareElsewhere(o) {
			continue
		}
		told[o.Var] = true
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), k.Pos())
		c.Roles = [2]string{"changed without the lock", "changed with it"}
		c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, c.Name)
		c.Message = fmt.Sprintf("%s is changed here without %s, which the function itself has held to change it before and has released: two goroutines that change a map at once end the program", types.ExprString(o.Cell), lock)
		s.tell(c, o, k.Access)
	}
}

// waitedForOthers says whether the body waits before o until other goroutines are over. What it receives may be
// an answer of its own, while others go on as it does.
func (s *search) waitedForOthers(o *occurrence) bool {
	if !s.waitedBefore(o) {
		return false
	}
	if fn := s.body.Outermost().Func; fn == nil || endings.MatchString(fn.Name()) {
		return true
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && !s.before(o, ev) {
				if fn := s.locks.Callee(call); fn != nil && fn.Name() == "Wait" {
					return true
				}
			}
		}
	}
	return false
}

// changedLockedBefore is a change of the same map ahead of o in the body, with a lock of the same object, or
// a lock of the package for a map of the package, held exclusively, and that lock.
func (s *search) changedLockedBefore(o *occurrence) (*occurrence, string) {
	for _, k := range s.order {
		if k == o || k.via != nil || k.Var != o.Var || k.Mode != atomicity.Write || k.place.Root != o.place.Root || !s.leadsTo(k, o) {
			continue
		}
		for _, l := range k.held.Places() {
			if k.held[l] == locks.Exclusive && l.Root != nil && (l.Root == k.place.Root || isPackageLevel(l.Root) && isPackageLevel(k.place.Root)) {
				return k, l.String()
			}
		}
	}
	return nil, ""
}

// changedBareElsewhere says whether another function changes the map without any lock.
func (s *search) changedBareElsewhere(o *occurrence) bool {
	for _, k := range s.ownAccesses(o.Var) {
		if k.Mode == atomicity.Write && len(k.held) == 0 && k.body.Outermost() != s.body.Outermost() {
			return true
		}
	}
	return false
}
