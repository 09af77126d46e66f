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

// readBeside finds what a function reads once it has released the lock under which it stores
// another one itself, on another way through it: if a.active { a.mu.Unlock(); a.wg.Wait();
// return }; a.wg = new(sync.WaitGroup). The next goroutine can be on that way by then. And what it
// stores itself whenever it takes the lock, and reads afterwards: s.mu.Lock(); s.last = c;
// s.mu.Unlock(); return s.last.
func (s *search) readBeside() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.readies() {
		return
	}
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || s.heldThere(o) || !o.Var.Obj.IsField() || s.reachOf(o) < shared.Meant || s.waitedBefore(o) || s.madeAnew(o) {
			continue
		}
		if k, _ := s.another(o.Var, s.body, func(k *occurrence) bool { return s.reachOf(k) != shared.Private }); k != nil {
			continue // what the others do is the rule
		}
		if s.setOnce(o.Var) && s.foundSet(o) {
			continue // it has seen the last of its values
		}
		w, lock := s.storedBeside(o)
		if w == nil || s.ownWhileSet(o) {
			continue
		}
		if ok, strong, _ := s.shared.Rivals(s.body, o.Var); !ok || !strong {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), w.Pos())
		c.Roles = [2]string{"read without the lock", "stored with it"}
		c.Message = fmt.Sprintf("%s is read here after %s was released, under which the next goroutine can store another one", types.ExprString(o.Expr), lock)
		s.tell(c, o, w.Access)
		return
	}
}

// storedBeside is a write of the same instance, on another way through the body or made whenever the
// lock is taken, under a lock that has been released on the way to o; all writes are made under it.
func (s *search) storedBeside(o *occurrence) (w *occurrence, lock accesses.Place) {
	for _, k := range s.order {
		if k.Mode != atomicity.Write || k.Var != o.Var {
			continue
		}
		i := slices.IndexFunc(k.held.Places(), func(l accesses.Place) bool {
			return k.held[l] == locks.Exclusive && l.Root == o.place.Root && s.releasedOnTheWay(o, locks.ClassOf(l))
		})
		if i < 0 || k.via != nil || !k.sameInstance(o) {
			return nil, accesses.Place{}
		}
		if s.leadsTo(k, o) && !s.storesAnother(k, k.held.Places()[i]) || !s.leadsTo(k, o) && k.Update != nil {
			return nil, accesses.Place{}
		}
		w, lock = k, k.held.Places()[i]
	}
	return w, lock
}

// storesAnother says whether the body makes the write as soon as it has taken the lock, without a
// look at what is there, and what it stores need not be what the next one stores.
func (s *search) storesAnother(w *occurrence, l accesses.Place) bool {
	for _, v := range stored(w.Access) {
		if tv := s.pkg.Info.Types[v]; w.Update == nil && (tv.Value != nil || tv.IsNil()) {
			return false
		}
	}
	taken := false
	for _, ev := range s.body.Events[w.block][:w.index] {
		for _, op := range s.locks.Ops(ev) {
			taken = taken || op.Kind == locks.Acquire && op.Lock == l
		}
	}
	return taken
}

// heldThere says whether a lock is held at o, or perhaps, but for one that some callers of the body
// hold and others do not: that keeps nobody out.
func (s *search) heldThere(o *occurrence) bool {
	entry := s.locks.Entry(s.body)
	for l, mode := range o.held {
		if before, ok := entry[l]; mode > locks.Possible || !ok || before > locks.Possible {
			return true
		}
	}
	return false
}
