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

// addedUnasked finds functions that put something on a list, under the lock, and do not look at the flag for the
// end, as another one does that adds to a list of the same object under the same lock: who sets the flag then
// walks through the list to end all that is on it, and what comes later is never ended.
//
//	s.mu.Lock(); s.listeners[l] = struct{}{}; s.mu.Unlock()
//	s.mu.Lock(); if s.closed { … return errClosed }; s.conns[c] = struct{}{}; s.mu.Unlock()
//	s.mu.Lock(); s.closed = true; for l := range s.listeners { l.Close() } …
//
// That the other one looks shows that some come when the end has been.
func (s *search) addedUnasked() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, reg := range s.order {
		if !s.registers(reg) || s.inFlight(reg.Pos()) {
			continue
		}
		for _, asker := range s.askers() {
			if asker.body.Outermost() == s.body.Outermost() || !s.holdsClass(reg, asker.lock) || s.looksAtAll(s.body, asker.look.Var) {
				continue
			}
			set, in := s.endsAll(asker.look.Var, reg.Var.Obj)
			if set == nil || in.Outermost() == asker.body.Outermost() || !s.endsEachOf(in, reg.Var.Obj, 0) || s.nothingToEnd(reg, in, reg.Var.Obj) || s.saidOfField(reg.Var.Obj) {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, asker.look.Var, map[*accesses.Body]bool{in: true}); !strong {
				continue
			}
			c := s.direct("multivar", "multi-variable", reg.source(), reg.Pos(), asker.look.Pos())
			c.EndName = s.pkg.Name(asker.look.Var)
			c.Roles = [2]string{"added to", "looked at before"}
			c.Message = fmt.Sprintf("%s is added to here without a look at %s, as %s looks under the lock before it adds: what comes after %s has walked through %s is never ended",
				reg.place, asker.look.place, asker.body.Fn.Name, in.Fn.Name, reg.place)
			s.tell(c, reg, reg.source())
			return
		}
	}
}

// registers says whether the body adds to a list in a field with a lock of the object held.
func (s *search) registers(reg *occurrence) bool {
	return reg.Mode == atomicity.Write && reg.via == nil && !reg.lit && !reg.later && reg.Var.Obj.IsField() && s.ownLockOf(reg, reg.held) && s.adds(reg) && s.reachOf(reg) != shared.Private
}

// An asker is a body that looks at a flag, or polls a channel, which decides whether it adds to a list of the object, in
// one hold of a lock of the class.
type asker struct {
	look *occurrence
	list *types.Var
	lock string
	body *accesses.Body
}

// askers are those of the package.
func (s *search) askers() []asker {
	if s.asking != nil {
		return s.asking
	}
	s.asking = []asker{}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if s.bodyState = s.states[b]; s.shared.Constructing(b) {
			continue
		}
		for _, reg := range s.order {
			if !s.registers(reg) {
				continue
			}
			for _, look := range s.order {
				if look.Mode != atomicity.Read || look.lit || look.Var.Obj == reg.Var.Obj || look.place.Root != reg.place.Root || !s.letsBy(look, reg) || !s.oneHold(look, reg) {
					continue
				}
				for _, l := range locksOf(reg.held) {
					if l.Root == reg.place.Root && reg.held[l] == locks.Exclusive {
						s.asking = append(s.asking, asker{look, reg.Var.Obj, locks.ClassOf(l), b})
					}
				}
			}
		}
	}
	return s.asking
}

// holdsClass says whether a lock of the class, of the object, is held at o, taken by the body itself.
func (s *search) holdsClass(o *occurrence, class string) bool {
	for l, mode := range o.held {
		if mode == locks.Exclusive && l.Root == o.place.Root && locks.ClassOf(l) == class {
			return s.acquires(l)
		}
	}
	return false
}

// looksAtAll says whether the body has to do with the flag, or one that leads to it looks before: a look without
// the lock is addedLate's.
func (s *search) looksAtAll(b *accesses.Body, flag access.Var) bool {
	return slices.ContainsFunc(s.states[b].order, func(o *occurrence) bool { return o.Var == flag }) || s.lookedBefore(b, flag, 0)
}

// lookedBefore says whether a body that calls the function of b looks at the flag before that, or one that calls it.
func (s *search) lookedBefore(b *accesses.Body, flag access.Var, depth int) bool {
	fn := b.Outermost().Func
	return fn != nil && depth < 3 && slices.ContainsFunc(s.callersOf(fn), func(c *accesses.Body) bool {
		if c == b {
			return false
		}
		for _, events := range c.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if ok && s.locks.Callee(call) == fn && slices.ContainsFunc(s.states[c].order, func(o *occurrence) bool { return o.Var == flag && s.before(o, call) }) {
					return true
				}
			}
		}
		return s.lookedBefore(c, flag, depth+1)
	})
}

// endsEachOf says whether the body, or what it calls, goes through the list to end each that is on it. To call
// functions that are on it, or to tell others something, is no end.
func (s *search) endsEachOf(b *accesses.Body, list *types.Var, depth int) bool {
	ends := false
	s.inState(b, func() {
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				x := s.values.original(n.X)
				if id, ok := x.(*ast.Ident); ok && len(s.values.assigns[s.pkg.Info.ObjectOf(id)]) == 1 {
					x = s.values.assigns[s.pkg.Info.ObjectOf(id)][0].value // all := x.list; x.list = nil
				}
				ends = ends || s.variable(x) == list && s.endsAny(n)
			case *ast.CallExpr:
				if to := s.pkg.ByFunc[s.locks.Callee(n)]; !ends && to != nil && to != b && depth < 2 {
					ends = s.endsEachOf(to, list, depth+1)
				}
			}
			return !ends
		})
	})
	return ends
}

// endsAny says whether the loop ends what it goes through, itself or by a function of the package.
func (s *search) endsAny(loop *ast.RangeStmt) bool {
	if s.endsEach(loop) {
		return true
	}
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			for _, e := range []ast.Expr{loop.Key, loop.Value} {
				if id, ok := e.(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) != nil {
					found = found || s.endsGiven(call, s.pkg.Info.ObjectOf(id))
				}
			}
		}
		return !found
	})
	return found
}
