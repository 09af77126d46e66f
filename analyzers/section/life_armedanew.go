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

// armedAnew finds timers that are stored under a lock, whatever the variable holds, after a
// method has stopped the old one and cleared the variable under that lock and given it back:
//
//	c.disarm() // c.mu.Lock(); if c.timer != nil { c.timer.Stop(); c.timer = nil }; c.mu.Unlock()
//	c.mu.Lock()
//	c.timer = time.AfterFunc(d, c.expire)
//	c.mu.Unlock()
//
// Of two goroutines that do so at once, the first one's timer is never stopped.
func (s *search) armedAnew() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || !w.place.Valid() || s.reachOf(w) == shared.Private || !s.startsTimer(w) {
			continue
		}
		lock := s.writeLock(w)
		if !lock.Valid() || len(w.held) != 1 {
			continue
		}
		call, clear := s.disarmedBefore(w, lock)
		if call == nil || s.looksInside(w) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{s.body: true}); !strong {
			continue
		}
		c := s.direct("testuse", "unlock-relock", w.Access, call.Pos(), w.Pos())
		c.Roles = [2]string{"stopped and cleared", "set anew"}
		c.Via, c.Within = call, clear.Pos()
		c.Message = fmt.Sprintf("two goroutines can both have cleared %s in %s before both set it, and the timer of the first is never stopped: %s is released in between", types.ExprString(w.Expr), types.ExprString(call.Fun), lock)
		s.tell(c, w, clear.Access)
	}
}

// startsTimer says whether w stores a timer, or ticker, that is started there.
func (s *search) startsTimer(w *occurrence) bool {
	values := stored(w.Access)
	if len(values) != 1 {
		return false
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := s.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "time" {
		return false
	}
	switch fn.Name() {
	case "AfterFunc", "NewTimer", "NewTicker":
		return true
	}
	return false
}

// looksInside says whether the body reads what w writes in the critical section of w.
func (s *search) looksInside(w *occurrence) bool {
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.sameInstance(w) && r.held.Any() && s.oneHold(r, w) {
			return true
		}
	}
	return false
}

// disarmedBefore is the call, made with no lock held on the way to w, of a method that sets
// the variable to nil and stops what it holds, under the lock.
func (s *search) disarmedBefore(w *occurrence, lock accesses.Place) (*ast.CallExpr, *occurrence) {
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.heldAt(block, index).Any() || !s.leadsTo(&occurrence{Access: &access.Access{}, block: block, index: index}, w) {
				continue
			}
			fn := s.locks.Callee(call)
			b := s.pkg.ByFunc[fn]
			if b == nil || b == s.body {
				continue
			}
			if clear := s.clearedIn(b, w.Var, lock); clear != nil && s.locks.ToCaller(call, fn, clear.place) == w.place {
				return call, clear
			}
		}
	}
	return nil, nil
}

// clearedIn is where b sets the variable to nil under a lock of the class, having called
// Stop on what it held.
func (s *search) clearedIn(b *accesses.Body, v access.Var, lock accesses.Place) *occurrence {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	for _, clear := range s.order {
		values := stored(clear.Access)
		at := clear.lockOf(locks.ClassOf(lock))
		if clear.Var != v || clear.Mode != atomicity.Write || clear.via != nil || !at.Valid() || s.locks.Entry(b).Holds(at) ||
			len(values) != 1 || !s.pkg.Info.Types[values[0]].IsNil() {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall {
					continue
				}
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Stop" && s.pkg.PlaceOf(sel.X) == clear.place {
					return clear
				}
			}
		}
	}
	return nil
}
