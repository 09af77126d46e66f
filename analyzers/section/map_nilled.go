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
	"github.com/atomrace/atomrace/internal/pattern"
)

// putInNil finds entries that are put into a map of the object, on behalf of a loop that takes in one
// after the other, under the lock under which a function for the end sets the map to nil, where nobody
// looks whether that has happened:
//
//	for { c, err := ln.Accept(); …; s.add(c) } // add: s.mu.Lock(); s.conns[c] = true; s.mu.Unlock()
//
//	func (s *pool) Close() { s.mu.Lock(); all := s.conns; s.conns = nil; s.mu.Unlock(); … }
//
// What came in before the end and is put there after it panics, as the map is nil.
func (s *search) putInNil() {
	if s.shared.Constructing(s.body) {
		return
	}
	for _, put := range s.order {
		if put.Mode != atomicity.Write || put.Kind != access.MapElement || put.Method == "delete" || put.via != nil || put.later || put.inner || !put.place.Valid() || !put.Var.Obj.IsField() ||
			s.reachOf(put) == shared.Private || s.anyDecides(put.block) || s.recovers() {
			continue
		}
		field := access.Var{Obj: put.Var.Obj}
		for _, l := range locksOf(put.held) {
			if put.held[l] != locks.Exclusive || l.Root != put.place.Root || s.looksAtField(field) || !s.forLoop(put) {
				continue
			}
			gone := s.setToNil(field, locks.ClassOf(l))
			if gone == nil {
				continue
			}
			c := s.direct("testuse", "test-and-use", put.Access, put.Pos(), gone.Pos())
			c.Roles = [2]string{"put into", "set to nil"}
			c.Message = fmt.Sprintf("%s is put into without a look whether %s has set it to nil under %s: what comes in at the same time as the end panics here",
				types.ExprString(put.Cell), gone.Func.Name, l)
			s.tell(c, put, gone.Access)
			return
		}
	}
}

// looksAtField says whether the body reads the field otherwise than to put something into the map, or
// writes it.
func (s *search) looksAtField(field access.Var) bool {
	for _, o := range s.order {
		if o.Var == field && (o.Mode == atomicity.Write || s.comparedWithNil(o)) {
			return true
		}
	}
	return false
}

// forLoop says whether the put is made, or the only function that calls the body calls it, in a loop
// without end, and nothing that is read under a lock decides about it there.
func (s *search) forLoop(put *occurrence) bool {
	if forever(s.body.Block, put.Expr) {
		return s.acceptsIn(put.Expr) && !s.decidedBy(put, func(*occurrence) bool { return true })
	}
	if s.body.Func == nil || s.body.Func.Exported() || s.mentioned(s.body.Func) != len(s.callersOf(s.body.Func)) {
		return false
	}
	callers, found := s.callersOf(s.body.Func), false
	fn := s.body.Func
	for _, b := range callers {
		s.inState(b, func() {
			for block, events := range b.Events {
				for _, ev := range events {
					call, ok := ev.Node.(*ast.CallExpr)
					if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn {
						continue
					}
					at := &occurrence{block: block}
					found = forever(b.Block, call) && s.acceptsIn(call) && !s.decidedBy(at, func(*occurrence) bool { return true })
				}
			}
		})
	}
	return found && len(callers) == 1
}

// forever says whether n lies in a loop of the block without a condition.
func forever(block *ast.BlockStmt, n ast.Node) bool {
	loop, ok := loopAround(block, n).(*ast.ForStmt)
	return ok && loop.Cond == nil
}

// acceptsIn says whether the loop around n takes in what comes by a method that is called Accept or
// the like.
func (s *search) acceptsIn(n ast.Node) bool {
	found := false
	ast.Inspect(loopAround(s.body.Block, n), func(m ast.Node) bool {
		if call, ok := m.(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				found = found || accepting.MatchString(sel.Sel.Name)
			}
		}
		return !found
	})
	return found
}

var accepting = pattern.New(`^Accept`)

// setToNil is where a function sets the field to nil under a lock of the class, if nobody but
// constructors sets it to anything else.
func (s *search) setToNil(field access.Var, class string) *occurrence {
	nilled := s.nilledIn(field)
	if len(nilled) == 0 {
		return nil
	}
	for _, k := range s.ownAccesses(field) {
		if k.Mode == atomicity.Write && !s.shared.Constructing(k.body) && !s.nils(k.occurrence) {
			return nil
		}
	}
	for _, k := range nilled {
		if k.body.Outermost() == s.body.Outermost() || k.via != nil || k.heldAs(class) != locks.Exclusive || k.body.Func == nil {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, field, map[*accesses.Body]bool{k.body: true}); strong || s.forTheEnd(k.body) {
			return k.occurrence
		}
	}
	return nil
}

// forTheEnd says whether the function has a name by which something ends, or one that has calls it.
func (s *search) forTheEnd(b *accesses.Body) bool {
	if endings.MatchString(b.Func.Name()) {
		return true
	}
	for _, from := range s.callersOf(b.Func) {
		if fn := from.Outermost().Func; fn != nil && endings.MatchString(fn.Name()) {
			return true
		}
	}
	return false
}
