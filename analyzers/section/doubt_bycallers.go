package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
)

// calledBareToo is a call by which a function for outside callers, or one that goroutines begin with, calls the body, on its own receiver, with
// no lock held whatever the path, or nil, while others call it with one. What is held at the beginning of the
// body is then not known, but that two can be in it without a lock is:
//
//	func (c *Cache) Set(k, v string) { c.mu.Lock(); defer c.mu.Unlock(); …; c.cleanUp() }
//	func (c *Cache) Get(k string) string { c.mu.RLock(); v := c.m[k]; c.mu.RUnlock(); c.cleanUp(); return v }
//
// held are the locks at an access of the body: none of them may have been taken in it.
func (s *search) calledBareToo(held ...locks.Set) *ast.CallExpr {
	entry := s.locks.Entry(s.body)
	for _, set := range held {
		for l := range set {
			if _, ok := entry[l]; !ok {
				return nil
			}
		}
	}
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil {
		return nil
	}
	for _, from := range s.callersOf(fn) {
		if from.Func == nil || !s.shared.Entered(from) && !s.shared.Begins(from) || s.shared.Constructing(from) || s.shared.SetsGoing(from) || from == s.body {
			continue
		}
		var bare *ast.CallExpr
		either := false // if c.locking { c.mu.Lock(); c.add(); c.mu.Unlock() } else { c.add() }
		s.locks.Walk(from, func(_, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn {
				return
			}
			if len(held) > 0 {
				either = true
				return
			}
			if bare == nil && s.receiverOf(call) == (accesses.Place{Root: from.Func.Signature().Recv()}) {
				bare = call
			}
		})
		if bare != nil && !either {
			return bare
		}
	}
	return nil
}

// ofItsObject says whether one of the locks, which may be held or not, is of the object that the place
// lies in: where it is held, it is held for that.
func ofItsObject(held locks.Set, place accesses.Place) bool {
	for l := range held {
		if l.Object() == place.Object() {
			return true
		}
	}
	return false
}
