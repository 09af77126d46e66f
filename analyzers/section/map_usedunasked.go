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

// usedUnasked finds entries of a map that are used without asking whether they are there, because
// the function has seen to that in an earlier critical section:
//
//	c.mu.RLock(); _, ok := c.entries[key]; c.mu.RUnlock()
//	if !ok { c.fill(key) }
//	c.mu.Lock()
//	e, ok := c.entries[key]
//	e.used = time.Now() // elsewhere, each minute: c.entries = those that are still wanted
//	c.mu.Unlock()
//
// Another function removes entries at any time, and then there is none.
func (s *search) usedUnasked() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, use := range s.order {
		if use.Kind != access.MapElement || use.Mode != atomicity.Read || use.via != nil || use.later || !use.held.Any() || s.reachOf(use) < shared.Meant || !s.panicsUnasked(use) || s.seenInHold(use) {
			continue
		}
		for _, look := range s.order {
			if look.Kind != access.MapElement || look.Mode != atomicity.Read || look.via != nil || !look.sameInstance(use) || look.key != use.key || !look.held.Any() ||
				!s.leadsTo(look, use) || s.leadsTo(use, look) || s.oneHold(look, use) || len(s.testsOf(look.Access, true)) == 0 {
				continue
			}
			gone, in := s.thinnedOut(use)
			if gone == nil || s.saidOfUse(use) {
				continue
			}
			category := "unlock-relock"
			if s.onlyReading(look) && !s.onlyReading(use) {
				category = "rlock-upgrade"
			}
			c := s.direct("testuse", category, look.Access, look.Pos(), use.Pos())
			c.Roles = [2]string{"looked up", "used without asking"}
			c.Message = fmt.Sprintf("%s is looked up here, and once more after the lock was released, where nothing asks whether it is still there: %s can have removed it in between", types.ExprString(look.Expr), in.Name)
			s.tell(c, look, use.Access)
			return
		}
	}
}

// seenInHold says whether the body accesses the entry in the same hold of the lock before the use.
func (s *search) seenInHold(use *occurrence) bool {
	return slices.ContainsFunc(s.order, func(a *occurrence) bool {
		return a != use && a.sameInstance(use) && a.Kind == access.MapElement && s.leadsTo(a, use) && s.oneHold(a, use)
	})
}

// saidOfUse says whether a section that the access ends is reported already.
func (s *search) saidOfUse(use *occurrence) bool {
	return slices.ContainsFunc(s.found, func(c *Candidate) bool {
		return c.Sure && slices.Contains(c.Ends, use.Access)
	})
}

// panicsUnasked says whether the function panics where the read finds no entry: see
// panicsWithout. Here the read may ask, if no test is of the answer.
func (s *search) panicsUnasked(o *occurrence) bool {
	if s.panicsWithout(o) {
		return true
	}
	if _, ok := s.elem(o).(*types.Pointer); !ok {
		return false
	}
	unasked := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		set, ok := n.(*ast.AssignStmt)
		if ok && len(set.Lhs) == 2 && len(set.Rhs) == 1 && ast.Unparen(set.Rhs[0]) == o.Expr {
			unasked = s.usedUnseen(set.Lhs[0]) && !s.decidesLater(set.Lhs[1])
		}
		return !unasked
	})
	return unasked
}

// decidesLater says whether some condition further on in the source mentions the local.
func (s *search) decidesLater(e ast.Expr) bool {
	id := identOf(e)
	if id == nil || id.Name == "_" {
		return false
	}
	obj := s.pkg.Info.ObjectOf(id)
	for _, conds := range s.body.Conds {
		if obj == nil || slices.ContainsFunc(conds, func(c ast.Expr) bool {
			return s.pkg.Order(c.Pos()) > s.pkg.Order(id.Pos()) && s.mentions(c, obj)
		}) {
			return true
		}
	}
	return false
}

// thinnedOut is where another function, which runs beside this one and is not called by it, stores
// in place of the map one with some of its entries alone, under a lock that is held at o; or
// deletes entries.
func (s *search) thinnedOut(o *occurrence) (*occurrence, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || s.invokes(b.Func) || !s.shared.Launched(b) && !s.shared.Entered(b) && !s.shared.Spawned(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, gone := range s.order {
			if gone.Var.Obj != o.Var.Obj || gone.Mode != atomicity.Write || gone.via != nil ||
				!slices.ContainsFunc(o.held.Places(), func(l accesses.Place) bool { return gone.lockOf(locks.ClassOf(l)).Valid() }) {
				continue
			}
			if gone.Kind == access.MapElement && gone.Method == "delete" || gone.Kind == access.Cell && s.keepsSome(gone) {
				return gone, b.Fn
			}
		}
		s.bodyState = current
	}
	return nil, nil
}

// keepsSome says whether what is stored is a local that is an empty map at first, and is given in a
// loop over the old one those of its entries that a test lets through.
func (s *search) keepsSome(o *occurrence) bool {
	values := stored(o.Access)
	if len(values) != 1 || identOf(values[0]) == nil {
		return false
	}
	local := s.pkg.Info.ObjectOf(identOf(values[0]))
	list := s.values.assigns[local]
	if len(list) != 1 || !s.isEmptyMap(list[0].value) {
		return false
	}
	some := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || s.pkg.PlaceOf(loop.X) != o.place {
			return true
		}
		var inside func(n ast.Node, tested bool)
		inside = func(n ast.Node, tested bool) {
			ast.Inspect(n, func(m ast.Node) bool {
				switch m := m.(type) {
				case *ast.IfStmt:
					if m != n && !tested {
						inside(m.Body, true)
						return false
					}
				case *ast.AssignStmt:
					for _, l := range m.Lhs {
						if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok && s.isObject(x.X, local) {
							some = some || tested
						}
					}
				}
				return true
			})
		}
		inside(loop.Body, false)
		return false
	})
	return some
}

// isEmptyMap matches make(map[K]V, n) and map[K]V{}.
func (s *search) isEmptyMap(e ast.Expr) bool {
	if e == nil || s.pkg.Info.TypeOf(e) == nil {
		return false
	}
	if _, ok := s.pkg.Info.TypeOf(e).Underlying().(*types.Map); !ok {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		return ok && id.Name == "make"
	}
	return false
}
