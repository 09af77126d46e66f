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

// removedAndClosed finds sends on a channel of an object that was looked up in a map under
// a lock which is no longer held, where another function takes the object out of the map
// under that lock and closes the channel. It is what takenChannels finds, with the channel
// in a field of what is in the map.
func (s *search) removedAndClosed() {
	if s.recovers() || s.shared.Constructing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		send, ok := ev.Node.(*ast.SendStmt)
		if !ok || ev.Kind != accesses.OnSend || held.Any() {
			return
		}
		sel, ok := s.pkg.Target(send.Chan).(*ast.SelectorExpr)
		if !ok {
			return
		}
		field, _ := s.pkg.Info.ObjectOf(sel.Sel).(*types.Var)
		src := s.takenFrom(s.bodyState, sel.X)
		if src == nil {
			src = s.handedOut(sel.X)
		}
		if src == nil {
			src = s.copiedOut(sel.X)
		}
		if src == nil {
			src = s.foundPresent(sel.X, block)
		}
		if field == nil || !field.IsField() || src == nil || src.Kind != access.MapElement || s.before(send, src) || s.reachOf(src) < shared.Meant || s.inFlight(send.Pos()) {
			return
		}
		for _, l := range locksOf(src.held) {
			if in := s.closesRemoved(src.Var, field.Origin(), locks.ClassOf(l)); in != nil {
				s.sentToRemoved(src, send, l, in)
				return
			}
		}
	})
}

// foundPresent is the read under a lock that has found the object as a key of a map, as a test which decides about the
// block asks for: h.mu.RLock(); ok := h.clients[c]; h.mu.RUnlock(); if ok { c.send <- v }. It may be that of a getter.
func (s *search) foundPresent(object ast.Expr, block int) *occurrence {
	id := identOf(object)
	if id == nil {
		return nil
	}
	obj := s.pkg.Info.ObjectOf(id)
	for _, o := range s.order {
		key := o.Key
		if o.via != nil {
			if key = o.keyArg; o.outer.Any() {
				continue
			}
		}
		if o.Mode != atomicity.Read || o.Kind != access.MapElement || key == nil || !o.held.Any() || !s.decided(s.testsOf(o.Access, true), block) {
			continue
		}
		if k := identOf(key); k != nil && s.pkg.Info.ObjectOf(k) == obj {
			return o
		}
	}
	return nil
}

func (s *search) sentToRemoved(src *occurrence, send *ast.SendStmt, lock accesses.Place, in *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, src.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	c := s.direct("testuse", "send-after-check", src.source(), src.Pos(), send.Pos())
	c.Roles = [2]string{"looked up", "sent on"}
	c.Message = fmt.Sprintf("%s can be closed once %s is released, and the send then panics: %s takes the object out of %s and closes its channel",
		types.ExprString(s.pkg.Target(send.Chan)), lock, in.Fn.Name, s.pkg.Name(src.Var))
	if src.via != nil {
		c.Via, c.Within = src.via, src.where()
	}
	c.Alike = fmt.Sprint(c.Category, c.Name, in.Fn.Name)
	s.tell(c, src, src.source())
}

// closesRemoved is another function that removes entries of the map with a lock of the class
// held, and closes the channel in the field of an object that it has found there, itself or
// by a method of the object, without waiting for those that send.
func (s *search) closesRemoved(m access.Var, field *types.Var, class string) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || s.awaitsSenders(b) {
			continue
		}
		s.bodyState = s.states[b]
		if !slices.ContainsFunc(s.order, func(w *occurrence) bool {
			return w.Mode == atomicity.Write && w.Var.Obj == m.Obj && w.via == nil && (w.Method == "delete" || w.Method == "clear" || w.Kind == access.Cell || isContainer(elementOf(m.Obj.Type()))) && w.held[w.lockOf(class)] == locks.Exclusive
		}) {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && s.closesFieldOf(call, m, field) {
					return b
				}
			}
		}
	}
	return nil
}

// closesFieldOf says whether the call closes the channel in the field of an object out of
// the map.
func (s *search) closesFieldOf(call *ast.CallExpr, m access.Var, field *types.Var) bool {
	object := func(e ast.Expr) bool {
		if o := s.takenFrom(s.bodyState, e); o != nil {
			return o.Var == m || o.Var.Obj == m.Obj && isContainer(m.Obj.Type())
		}
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		if s.removedByPart(m, s.pkg.Info.ObjectOf(id)) || s.takesOff(m, s.pkg.Info.ObjectOf(id)) {
			return true
		}
		return slices.ContainsFunc(s.values.assigns[s.pkg.Info.ObjectOf(id)], func(d assignment) bool { // for _, x := range m
			v := s.variable(d.value)
			return v != nil && v == m.Obj && !d.plain
		})
	}
	if ch := s.closeOf(call); ch != nil {
		sel, ok := ast.Unparen(ch).(*ast.SelectorExpr)
		return ok && s.variable(ch) == field && object(sel.X)
	}
	fn, _ := s.calledOn(call)
	if fn == nil || !object(ast.Unparen(call.Fun).(*ast.SelectorExpr).X) {
		fn = s.locks.Callee(call) // s.closeAll(x)
		if s.pkg.ByFunc[fn] == nil || !slices.ContainsFunc(call.Args, object) {
			return false
		}
	}
	found := false
	ast.Inspect(s.pkg.ByFunc[fn].Block, func(n ast.Node) bool {
		if inner, ok := n.(*ast.CallExpr); ok {
			if ch := s.closeOf(inner); ch != nil {
				found = found || s.variable(ch) == field
			}
		}
		return !found
	})
	return found
}

// removedByPart says whether the body deletes the entry of the map for a part of its own
// parameter or receiver, as by delete(m, x.id): what it is given is what is there.
func (s *search) removedByPart(m access.Var, param types.Object) bool {
	fn := s.body.Func
	if fn == nil || param == nil {
		return false
	}
	given := types.Object(fn.Signature().Recv()) == param
	for v := range fn.Signature().Params().Variables() {
		given = given || types.Object(v) == param
	}
	return given && slices.ContainsFunc(s.order, func(w *occurrence) bool {
		if w.Method != "delete" || w.Var != m || w.via != nil || w.Key == nil {
			return false
		}
		x, part := partOf(s.values.named(w.Key))
		id, ok := x.(*ast.Ident)
		return ok && part != "" && s.pkg.Info.ObjectOf(id) == param
	})
}
