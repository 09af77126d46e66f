package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// elementUpdates finds counters in objects of a container, u.inflight++, that a function
// updates after the release of the container's lock, under which it has found the object, or
// under another lock of the container, while others write them under that lock:
//
//	g.mu.Lock()
//	u := g.least()
//	g.mu.Unlock()
//	u.inflight++ // elsewhere, under g.mu: u.inflight--
func (s *search) elementUpdates() {
	if s.body.Func == nil || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, o := range s.order {
		if o.Update == nil || o.Mode != atomicity.Write || o.Kind != access.Cell || o.via != nil || o.later || !o.place.Valid() || !o.Var.Obj.IsField() || s.reachOf(o) < shared.Meant ||
			s.saidHere(o) || s.waitedBefore(o) || s.madeAnew(o) || s.leftState(o) {
			continue
		}
		how, k := "after %s was released", s.writtenByHolders(o)
		if k.occurrence == nil {
			how, k = "under another lock than %s", s.writtenUnderOther(o)
		}
		if k.occurrence == nil {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, o.Var, map[*accesses.Body]bool{k.body: true}); !strong {
			continue
		}
		lock := locksOf(k.held)[0]
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), k.Pos())
		c.Roles = [2]string{"updated without the lock", "written with it"}
		c.Message = fmt.Sprintf("%s is updated here "+how+", which %s holds when it writes it: one of the two updates can be lost", types.ExprString(o.Expr), lock, k.body.Fn.Name)
		s.tell(c, o, k.Access)
		return
	}
}

// writtenByHolders is a write of the field by another function, if all of these hold a lock of the
// container, and the body, which holds none, has found the object under it, and claims it by nothing.
func (s *search) writtenByHolders(o *occurrence) placed {
	if len(o.held) > 0 {
		return placed{}
	}
	var keeper placed
	for _, k := range s.othersWrites(o) {
		if k.held.Holds(locks.Caller) && !keeperKnown(k) {
			continue // it relies on its callers
		}
		if !keeperKnown(k) || keeper.occurrence != nil && !k.lockOf(locks.ClassOf(locksOf(keeper.held)[0])).Valid() {
			return placed{}
		}
		if keeper.occurrence == nil {
			keeper = k
		}
	}
	if keeper.occurrence == nil || !s.foundUnder(o, locks.ClassOf(locksOf(keeper.held)[0])) {
		return placed{}
	}
	return keeper
}

// keeperKnown says whether a lock for writing, of something else than the object, is all that is
// held at k.
func keeperKnown(k placed) bool {
	held := locksOf(k.held)
	return len(held) == 1 && len(k.held) == 1 && k.held[held[0]] == locks.Exclusive && held[0].Root != nil && held[0].Root != k.place.Root
}

// writtenUnderOther is a write of the field by another function, of an object that it has found in
// the container, with another lock held than the one that is held at o, both of objects of one type.
func (s *search) writtenUnderOther(o *occurrence) placed {
	own := placed{o, s.body}
	if !keeperKnown(own) {
		return placed{}
	}
	mine := locksOf(o.held)[0]
	for _, k := range s.othersWrites(o) {
		if !keeperKnown(k) || k.place.Root == nil || k.place.Root.Pos() < k.body.Block.Pos() || k.body.Block.End() <= k.place.Root.Pos() {
			continue
		}
		theirs := locksOf(k.held)[0]
		if of := accesses.TypeName(mine.Root.Type()); of != nil && of == accesses.TypeName(theirs.Root.Type()) && locks.ClassOf(mine) != locks.ClassOf(theirs) && !o.lockOf(locks.ClassOf(theirs)).Valid() {
			return k
		}
	}
	return placed{}
}

// othersWrites are the writes of the field by other functions, of objects that others have.
func (s *search) othersWrites(o *occurrence) []placed {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	var list []placed
	for _, k := range s.ownAccesses(o.Var) {
		if k.Mode != atomicity.Write || k.body.Outermost() == current.body.Outermost() {
			continue
		}
		s.bodyState = s.states[k.body]
		if s.reachOf(k.occurrence) != shared.Private && !s.readies() && !s.waitedBefore(k.occurrence) {
			list = append(list, k)
		}
	}
	return list
}

// foundUnder says whether the local through which o goes was given its object under a lock of the
// class, by the body or by what it calls, which write no other field of such objects: that might
// claim it.
func (s *search) foundUnder(o *occurrence, class string) bool {
	list := s.values.assigns[o.place.Root]
	if len(list) != 1 {
		return false
	}
	call, ok := ast.Unparen(list[0].value).(*ast.CallExpr)
	finders := []*accesses.Body{s.body}
	if ok {
		if b := s.pkg.ByFunc[s.locks.Callee(call)]; b != nil {
			finders = append(finders, b)
		}
	}
	owner := s.shared.Owner(o.Var.Obj)
	found := s.releasedOnTheWay(o, class)
	for i, b := range finders {
		for _, w := range s.stateOf(b).order {
			if w.Mode == atomicity.Write && w.Var.Obj != o.Var.Obj && s.shared.Owner(w.Var.Obj) == owner {
				return false
			}
		}
		for _, events := range b.Events {
			for _, ev := range events {
				for _, op := range s.locks.Ops(ev) {
					found = found || i > 0 && op.Kind == locks.Acquire && locks.ClassOf(op.Lock) == class
				}
			}
		}
	}
	return found && owner != nil && !slices.ContainsFunc(finders, s.shared.Constructing)
}
