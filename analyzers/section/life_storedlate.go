package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// storedLate finds functions that look at the flag for the end, and store in a field, later and
// without another look, what who sets the flag then ends: what is stored in between is never
// ended.
//
//	if c.closed.Load() { return errClosed }
//	conn := dial()
//	c.mu.Lock(); c.conn = conn; c.mu.Unlock()
//	// elsewhere: c.closed.Store(true); c.mu.Lock(); if c.conn != nil { c.conn.Close() } …
func (s *search) storedLate() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, reg := range s.order {
		if reg.Mode != atomicity.Write || reg.via != nil || reg.lit || reg.later || !reg.Var.Obj.IsField() || !s.storesEndable(reg) || s.reachOf(reg) == shared.Private || s.inFlight(reg.Pos()) || s.endsItself(reg) {
			continue
		}
		for _, look := range s.order {
			if look.Mode != atomicity.Read || look.lit || look.Var.Obj == reg.Var.Obj || look.place.Root != reg.place.Root || !s.leadsTo(look, reg) || !s.letsBy(look, reg) && !s.isFine(look, reg) ||
				s.oneHold(look, reg) || s.readFrom(reg, look.Var.Obj) {
				continue
			}
			if in := s.endsStored(look.Var, reg.Var); in != nil {
				s.isTooLate(look, reg, in, "stored in", "%s can be %s by %s after it was tested here and before %s is stored, which %s has looked at by then: what is stored is never ended")
				return
			}
		}
	}
}

// storesEndable says whether the write stores something that can be ended, and was made for that.
func (s *search) storesEndable(reg *occurrence) bool {
	if reg.Kind != access.Cell && (reg.Kind != access.Atomic || reg.Method != "Store") {
		return false
	}
	values := stored(reg.Access)
	if len(values) != 1 || s.unsets(values[0]) || s.pkg.Info.Types[values[0]].Value != nil {
		return false
	}
	t := s.pkg.Info.TypeOf(values[0])
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return u.Params().Len() == 0 && !accompanying.MatchString(t.String()) || t.String() == "context.CancelFunc" || t.String() == "context.CancelCauseFunc"
	case *types.Pointer, *types.Interface, *types.Chan:
		return !accompanying.MatchString(t.String()) || t.String() == "context.CancelFunc"
	}
	return false
}

// isFine says whether look, at an error of the object, decides whether the body comes to reg.
func (s *search) isFine(look, reg *occurrence) bool {
	return look.Var.Obj.Type().String() == "error" && look.Kind == access.Cell && s.ownLockOf(look, look.held) && s.decided(s.testsOf(look.Access, true), reg.block)
}

// endsItself says whether the body ends what it stores when it returns, or where it gives up
// after the store, or starts a goroutine that does.
func (s *search) endsItself(reg *occurrence) bool {
	values := stored(reg.Access)
	locals := map[types.Object]bool{}
	s.localsOf(values[0], 0, locals)
	found := false
	var look func(n ast.Node, deferred bool)
	look = func(n ast.Node, deferred bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return deferred
			case *ast.DeferStmt:
				look(n.Call, true)
				return false
			case *ast.GoStmt: // which waits for the end, perhaps
				look(n.Call, true)
				return false
			case *ast.CallExpr:
				if on := endedBy(s.pkg.Info, n); on != nil && (deferred || n.Pos() > reg.Pos()) {
					pl := s.pkg.PlaceOf(on)
					found = found || locals[pl.Root] || pl == reg.place
				}
			}
			return !found
		})
	}
	look(s.body.Block, false)
	return found
}

// endedBy is what the call ends: x of x.Close(), close(x) and of x() itself, or nil.
func endedBy(info *types.Info, call *ast.CallExpr) ast.Expr {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if b, ok := info.Uses[fun].(*types.Builtin); ok {
			if b.Name() == "close" && len(call.Args) == 1 {
				return call.Args[0]
			}
			return nil
		}
		if _, ok := info.Uses[fun].(*types.Var); ok {
			return fun
		}
	case *ast.SelectorExpr:
		if endings.MatchString(fun.Sel.Name) {
			return fun.X
		}
		if v, ok := info.Uses[fun.Sel].(*types.Var); ok && v.IsField() {
			return fun
		}
	}
	return nil
}

// endsStored is a function that ends something, sets the flag, and then ends what is in the
// field.
func (s *search) endsStored(flag, field access.Var) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		fn := b.Outermost().Func
		if b.Outermost() == current.body.Outermost() || fn == nil || !endings.MatchString(fn.Name()) && !ownEndings.MatchString(fn.Name()) {
			continue
		}
		s.bodyState = s.states[b]
		for _, set := range s.raised(flag) {
			if s.endsAfter(set, field) && s.reachOf(set) != shared.Private {
				return b
			}
		}
	}
	return nil
}

// endsAfter says whether the body, or what it calls, ends what is in the field after set, and does not
// wait before.
func (s *search) endsAfter(set *occurrence, field access.Var) bool {
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.Var == field && r.via == nil && (s.leadsTo(set, r) || s.oneHold(r, set)) && !s.waitsBetween(s.body.Outermost(), set.Pos(), r.Pos()) && s.endsRead(r) {
			return true
		}
	}
	found := false
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || found {
			return
		}
		b := s.pkg.ByFunc[s.locks.Callee(call)]
		at := &occurrence{Access: &access.Access{Expr: call}, block: block, index: index, held: held, outer: held}
		if b == nil || s.receiverOf(call).Root != set.place.Root || len(b.CFG.Blocks) > maxBlocks || !s.leadsTo(set, at) || s.waitsBetween(s.body.Outermost(), set.Pos(), call.Pos()) {
			return
		}
		current := s.bodyState
		defer func() { s.bodyState = current }()
		s.bodyState = s.stateOf(b)
		found = slices.ContainsFunc(s.order, func(r *occurrence) bool {
			return r.Mode == atomicity.Read && r.Var == field && r.via == nil && s.endsRead(r)
		})
	})
	return found
}

// raised are the places where the body sets the flag, closes the channel, or stores an error.
func (s *search) raised(flag access.Var) []*occurrence {
	list := s.thrown(flag)
	if flag.Obj.Type().String() != "error" {
		return list
	}
	for _, set := range s.order {
		if values := stored(set.source()); set.Mode == atomicity.Write && set.Var == flag && len(values) == 1 && !s.unsets(values[0]) {
			list = append(list, set)
		}
	}
	return list
}

// endsRead says whether the body ends what it has read.
func (s *search) endsRead(r *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			if on := endedBy(s.pkg.Info, call); on != nil {
				_, found = s.values.of(on)[r.Access]
			}
		}
		return !found
	})
	return found
}
