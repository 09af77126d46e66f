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

// unreplaced is dismantled and lowered for what is not set to nil, but replaced, which may fail:
//
//	if !s.up.Load() { return errDown }
//	s.mu.RLock()
//	return s.conn.Read(p) // reconnect: s.mu.Lock(); s.up.Store(false); if s.conn, err = dial(); err != nil { return err }
//
// The flag is still unset then, and what the body uses is nil.
func (s *search) unreplaced() {
	failing := s.failing()
	if len(failing) == 0 || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.Constructing(s.body) || s.recovers() {
		return
	}
	for _, e := range s.order {
		if len(failing[e.Var]) == 0 || e.Mode != atomicity.Read || e.depth > 1 || e.held.Any() || !e.place.Valid() || s.reachOf(e) < shared.Meant || s.inFlight(e.Pos()) {
			continue
		}
		for _, test := range s.testsOf(e.Access, true) {
			set := s.setEdge(test, e.Var.Obj)
			if set < 0 {
				continue
			}
			for _, r := range failing[e.Var] {
				if r.body.Outermost() == s.body.Outermost() {
					continue
				}
				want, done := set, "unset"
				if !r.lowers {
					want, done = 1-set, "set"
				}
				u := s.usedUnderLock(e, test, want, r)
				if u == nil {
					continue
				}
				c := s.direct("testuse", "test-before-lock", e.source(), e.Pos(), u.Pos())
				c.Via = e.via
				c.EndName = s.pkg.Name(r.Var)
				c.Roles = [2]string{"tested", "used"}
				c.Message = fmt.Sprintf("%s is looked at before %s is taken: by then %s can have %s it and failed to make another %s, which is used here",
					e.place, r.lock, r.body.Fn.Name, done, r.place)
				s.tell(c, e, r.Access)
				return
			}
		}
	}
}

// failedReplace is a write of what a call gives that may fail instead, after a flag beside it was set or
// unset, with a lock of the object held all the time.
type failedReplace struct {
	placed
	lock   accesses.Place
	lowers bool
}

// failing lists by the flag what may not be replaced.
func (s *search) failing() map[access.Var][]failedReplace {
	if s.unmade != nil {
		return s.unmade
	}
	s.unmade = map[access.Var][]failedReplace{}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || !w.Var.Obj.IsField() || !s.mayFail(w) {
				continue
			}
			l := s.exclusiveBeside(w)
			if !l.Valid() {
				continue
			}
			for flag, lowers := range s.flagsBefore(w, l) {
				s.unmade[flag] = append(s.unmade[flag], failedReplace{placed{w, b}, l, lowers})
			}
		}
	}
	return s.unmade
}

// flagsBefore are the flags beside w that the body, or a method that it calls, sets to a constant on
// the way to w with the lock held, and whether it unsets them.
func (s *search) flagsBefore(w *occurrence, l accesses.Place) map[access.Var]bool {
	flags := map[access.Var]bool{}
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		if held[l] != locks.Exclusive || w.Stmt.Pos() <= ev.Pos() && ev.Pos() < w.Stmt.End() || !s.leadsTo(&occurrence{block: block, index: index}, w) {
			return
		}
		var list []*occurrence
		root := w.place.Root
		if set := s.occ[ev.Access]; ev.Access != nil && set != nil {
			list = append(list, set)
		} else if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && s.receiverOf(call) == (accesses.Place{Root: root}) {
			b := s.pkg.ByFunc[s.locks.Callee(call)]
			list, root = s.states[b].order, s.recvOf(b)
		}
		for _, set := range list {
			if set.Mode != atomicity.Write || set.via != nil || set.Var == w.Var || set.place.Root != root || !s.isSwitch(set) {
				continue
			}
			if lowers := s.lowers(set); lowers || s.raises(set) {
				flags[set.Var] = lowers
			}
		}
	})
	return flags
}

// mayFail says whether the write stores what a call returns along with an error, for which the body
// leaves the function and puts nothing else there.
func (s *search) mayFail(w *occurrence) bool {
	assign, ok := w.Stmt.(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 || len(assign.Lhs) < 2 || assign.Lhs[0] != w.Expr {
		return false
	}
	switch w.Var.Obj.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Signature:
	default:
		return false
	}
	failed := identOf(assign.Lhs[len(assign.Lhs)-1])
	if _, called := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr); !called || failed == nil || !isError(s.pkg.Info.TypeOf(failed)) {
		return false
	}
	gives := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok || branch.End() < assign.Pos() || branch.Init != assign && (branch.Pos() < assign.End() || branch.Pos()-assign.End() > 9) {
			return !gives
		}
		if x, ok := ast.Unparen(branch.Cond).(*ast.BinaryExpr); ok && x.Op == token.NEQ && identOf(x.X) != nil && identOf(x.X).Name == failed.Name && leaves(branch.Body) {
			gives = !s.assignsIn(branch.Body, w.Var.Obj)
		}
		return !gives
	})
	return gives
}

// assignsIn says whether a statement of the block stores into the field.
func (s *search) assignsIn(block *ast.BlockStmt, field types.Object) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			found = found || slices.ContainsFunc(assign.Lhs, func(e ast.Expr) bool {
				v := s.variable(e)
				return v != nil && types.Object(v) == field
			})
		}
		return !found
	})
	return found
}

// usedUnderLock is where the body uses what r may not have replaced, with the lock held, and only if the
// test comes out so: it selects from it or calls it, itself or in a method that it calls, by name or by
// a method that is promoted from it.
func (s *search) usedUnderLock(e *occurrence, test, edge int, r failedReplace) ast.Node {
	class := locks.ClassOf(r.lock)
	under := func(block int, held locks.Set, pos ast.Node) bool {
		if s.pkg.Order(pos.Pos()) < s.pkg.Order(e.Pos()) || !slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool {
			return l.Root == e.place.Root && locks.ClassOf(l) == class && held[l] != locks.Possible
		}) {
			return false
		}
		decides, to := s.decides(test, block)
		return decides && to == edge
	}
	for _, u := range s.order {
		if u.Mode == atomicity.Read && u.depth <= 1 && u.place.Root == e.place.Root && u.Var.Obj == r.Var.Obj && under(u.block, u.held, u) && s.needsIt(u) && !s.lookedAtAgain(e, u) {
			return u.Access.Expr
		}
	}
	if !r.Var.Obj.Embedded() || s.asksOf(r.Var.Obj) {
		return nil
	}
	var used ast.Node
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || used != nil || !under(block, held, call) {
			return
		}
		if s.lookedAtAgain(e, &occurrence{block: block, index: index}) {
			return
		}
		if s.promotes(call, e.place.Root, r.Var.Obj) || s.receiverOf(call) == (accesses.Place{Root: e.place.Root}) && s.promotesIn(s.pkg.ByFunc[s.locks.Callee(call)], r.Var.Obj) {
			used = call
		}
	})
	return used
}

// promotes says whether the call is that of a method which the object has from the embedded field.
func (s *search) promotes(call *ast.CallExpr, object, field types.Object) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.pkg.PlaceOf(sel.X) != (accesses.Place{Root: object}) {
		return false
	}
	selection := s.pkg.Info.Selections[sel]
	return selection != nil && selection.Kind() == types.MethodVal && len(selection.Index()) == 2 && accesses.FieldPath(selection) == "."+field.Name()
}

// promotesIn says whether the method calls such a method on its receiver, and does not ask whether the
// field is there.
func (s *search) promotesIn(b *accesses.Body, field types.Object) bool {
	recv := types.Object(nil)
	if b != nil {
		recv = s.recvOf(b)
	}
	if recv == nil {
		return false
	}
	found := false
	s.inState(b, func() {
		found = !s.asksOf(field) && slices.ContainsFunc(slices.Concat(b.Events...), func(ev accesses.Event) bool {
			call, ok := ev.Node.(*ast.CallExpr)
			return ok && ev.Kind == accesses.OnCall && s.promotes(call, recv, field)
		})
	})
	return found
}
