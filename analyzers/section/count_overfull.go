package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// overfull finds functions that make room in a map if it is as long as it may be, and put an
// entry into it in a later critical section, without another look at its length: two that
// have both found room, or that both wait for the room which one entry less has made, fill it
// beyond its bound.
//
//	mu.RLock(); n := len(m); mu.RUnlock()
//	if n >= max { evict() }
//	mu.Lock(); m[k] = v; mu.Unlock()
func (s *search) overfull() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, look := range s.order {
		if look.Mode != atomicity.Read || look.Kind != access.MapWhole || look.Method != "len" || look.lit || look.later || look.depth > 1 || !look.held.Any() || s.reachOf(look) < shared.Meant {
			continue
		}
		test, edge := s.asksForFull(look)
		if test < 0 || !s.takesOutOn(test, edge, look.Var) || s.deletesOn(test, look.Var) {
			continue
		}
		for _, put := range s.order {
			if put.Mode != atomicity.Write || put.Kind != access.MapElement || put.source().Method == "delete" || put.Var != look.Var || put.place != look.place || put.lit || put.later || put.depth > 1 ||
				!put.held.Excludes() || !s.leadsTo(look, put) || s.leadsTo(put, look) || s.oneHold(look, put) || s.measuresAnew(look, put) {
				continue
			}
			if decides, _ := s.decides(test, put.block); decides || !s.leadsTo(&occurrence{block: test, index: len(s.body.Events[test])}, put) {
				continue // whether there is room does not matter to it, or is asked afterwards
			}
			lock := s.lockOfBoth(look, put)
			if !lock.Valid() {
				continue
			}
			c := s.direct("testuse", "unlock-relock", look.Access, look.Pos(), put.Pos())
			if look.held[lock] == locks.Shared {
				c.Category = "rlock-upgrade"
			}
			c.Roles = [2]string{"measured", "added to"}
			c.Message = fmt.Sprintf("two goroutines can both find room in %s, or make it for one, and then both put an entry into it: %s is released in between, and the length is not looked at again",
				types.ExprString(look.Cell), lock)
			if look.via != nil {
				c.Via, c.Within = look.via, look.where()
			}
			if put.via != nil {
				c.EndVia, c.EndWithin = put.via, put.where()
			}
			s.tell(c, look, put.Access)
			return
		}
	}
}

// asksForFull is the block that ends with a test whether the length has come to something other
// than a constant, or to a named one, and the edge that is taken if it has; -1 if there is none.
func (s *search) asksForFull(look *occurrence) (block, edge int) {
	isLength := func(e ast.Expr) bool { return s.values.of(e)[look.Access] }
	for _, test := range s.testsOf(look.Access, true) {
		if len(s.body.Conds[test]) != 1 {
			continue
		}
		cond, not := asked(s.body.Conds[test][0])
		for { // len(m) > 0 && len(m) == max
			b, ok := cond.(*ast.BinaryExpr)
			if !ok || b.Op != token.LAND {
				break
			}
			cond = ast.Unparen(b.Y)
		}
		b, ok := cond.(*ast.BinaryExpr)
		if !ok || isLength(b.X) == isLength(b.Y) {
			continue
		}
		bound := b.Y
		if isLength(b.Y) {
			bound = b.X
		}
		if _, literal := ast.Unparen(bound).(*ast.BasicLit); literal {
			continue
		}
		full := b.Op == token.EQL || isLess(b, false, isLength)
		room := isLess(b, true, isLength)
		switch {
		case full && !room && !not, room && !full && not:
			return test, 0
		case full && !room && not, room && !full && !not:
			return test, 1
		}
	}
	return -1, 0
}

// deletesOn says whether the test decides about a deletion that the body is known to make:
// then that is the act.
func (s *search) deletesOn(test int, v access.Var) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		if o.Var != v || o.Mode != atomicity.Write || o.source().Method != "delete" {
			return false
		}
		decides, _ := s.decides(test, o.block)
		return decides
	})
}

// takesOutOn says whether the body, or what it calls, deletes from the map where it comes to by
// that edge of the test alone.
func (s *search) takesOutOn(test, edge int, v access.Var) bool {
	for at, events := range s.body.Events {
		if decides, by := s.decides(test, at); !decides || by != edge {
			continue
		}
		for _, ev := range events {
			if a := ev.Access; a != nil && a.Var == v && a.Method == "delete" {
				return true
			}
			if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && s.takesOutBelow(s.pkg.ByFunc[s.locks.Callee(call)], v, 0) {
				return true
			}
		}
	}
	return false
}

func (s *search) takesOutBelow(b *accesses.Body, v access.Var, depth int) bool {
	if b == nil || depth > 2 {
		return false
	}
	for _, events := range b.Events {
		for _, ev := range events {
			if a := ev.Access; a != nil && a.Var == v && a.Method == "delete" {
				return true
			}
			if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && s.takesOutBelow(s.pkg.ByFunc[s.locks.Callee(call)], v, depth+1) {
				return true
			}
		}
	}
	return false
}

// measuresAnew says whether the length is asked once more in the hold in which the entry is put.
func (s *search) measuresAnew(look, put *occurrence) bool {
	for _, o := range s.order {
		if o != look && o.Var == look.Var && o.Mode == atomicity.Read && o.Kind == access.MapWhole && s.leadsTo(o, put) && (s.oneHold(o, put) || o.via != nil && o.via == put.via) {
			return true
		}
	}
	return false
}

// lockOfBoth is a lock that is held at both.
func (s *search) lockOfBoth(look, put *occurrence) accesses.Place {
	for _, l := range locksOf(look.held) {
		if put.held[l] == locks.Exclusive {
			return l
		}
	}
	return accesses.Place{}
}
