package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// closedBeforeOff finds functions that close a channel before they take off, where it was registered, the
// function that sends on it:
//
//	handle := func(e Event) { events <- e }
//	bus.Subscribe(handle)
//	defer bus.Unsubscribe(handle)
//	defer close(events) // runs first
//	<-ctx.Done()
//
// What comes in between is still handed to the function, which panics. Whether it asks for the end of a
// context before, or in another arm of a select, does not matter.
func (s *search) closedBeforeOff() {
	list, deferred := s.endingCalls()
	for _, off := range list {
		lit, on := s.handlerTakenOff(off)
		if lit == nil || recoversIn(lit) || locksIn(lit.Body) {
			continue
		}
		for _, send := range sendsIn(lit.Body) {
			id := identOf(send.Chan)
			if id == nil {
				continue
			}
			ch, ok := s.pkg.Info.Uses[id].(*types.Var)
			if !ok || ch.IsField() || accesses.IsGlobal(ch) || lit.Pos() <= ch.Pos() && ch.Pos() < lit.End() || len(s.values.assigns[ch]) > 1 {
				continue
			}
			for _, end := range list {
				if s.closeOf(end) == nil {
					continue
				}
				of := identOf(end.Args[0])
				if of == nil || s.pkg.Info.Uses[of] != types.Object(ch) || end.Pos() < on.Pos() && !deferred[end] {
					continue
				}
				// What is deferred runs last, and the later of two first.
				before := end.Pos() < off.Pos()
				if deferred[off] {
					before = !deferred[end] || end.Pos() > off.Pos()
				} else if deferred[end] {
					before = false
				}
				if before && !s.waitsFromTo(end, off) {
					s.tellOfLeft(end.Args[0], ch, send, "%s is closed here before the function that sends on it is taken off: it is still called until then, and its send panics")
					return
				}
			}
		}
	}
}

// endingCalls are the calls of the body at its outermost, whatever the case, one after the other, and which of them are
// deferred.
func (s *search) endingCalls() (list []*ast.CallExpr, deferred map[*ast.CallExpr]bool) {
	deferred = map[*ast.CallExpr]bool{}
	for _, st := range s.body.Block.List {
		switch st := st.(type) {
		case *ast.DeferStmt:
			if lit, ok := ast.Unparen(st.Call.Fun).(*ast.FuncLit); ok && len(lit.Body.List) == 1 && len(st.Call.Args) == 0 {
				if x, ok := lit.Body.List[0].(*ast.ExprStmt); ok { // defer func() { close(ch) }()
					if call, ok := ast.Unparen(x.X).(*ast.CallExpr); ok {
						list, deferred[call] = append(list, call), true
					}
				}
				continue
			}
			list, deferred[st.Call] = append(list, st.Call), true
		case *ast.ExprStmt:
			if call, ok := ast.Unparen(st.X).(*ast.CallExpr); ok {
				list = append(list, call)
			}
		}
	}
	return slices.DeleteFunc(list, func(c *ast.CallExpr) bool {
		return s.closeOf(c) == nil && !removers.MatchString(calledName(c)) && identOf(c.Fun) == nil
	}), deferred
}

// handlerTakenOff is the function, a literal, that the call takes off where it was registered, and the call
// that has registered it: the two name it, or the call is of what the other has returned, or of one of its methods.
func (s *search) handlerTakenOff(off *ast.CallExpr) (lit *ast.FuncLit, on *ast.CallExpr) {
	if s.closeOf(off) != nil {
		return nil, nil
	}
	for _, arg := range off.Args {
		lit := s.literalNamed(arg)
		if lit == nil || !removers.MatchString(calledName(off)) {
			continue
		}
		if on := s.registration(s.body, lit); on != nil {
			return lit, on
		}
	}
	if len(off.Args) > 0 {
		return nil, nil
	}
	id := identOf(off.Fun)
	if sel, ok := ast.Unparen(off.Fun).(*ast.SelectorExpr); ok && removers.MatchString(sel.Sel.Name) {
		id = identOf(sel.X)
	}
	if id == nil {
		return nil, nil
	}
	list := s.values.assigns[s.pkg.Info.Uses[id]]
	if len(list) != 1 {
		return nil, nil
	}
	call, ok := ast.Unparen(list[0].value).(*ast.CallExpr)
	if !ok || !registers.MatchString(calledName(call)) {
		return nil, nil
	}
	for _, arg := range call.Args {
		if lit := s.literalNamed(arg); lit != nil {
			return lit, call
		}
	}
	return nil, nil
}

// literalNamed is the literal that e is, or that the local e always stands for; or nil.
func (s *search) literalNamed(e ast.Expr) *ast.FuncLit {
	if id := identOf(e); id != nil {
		v, ok := s.pkg.Info.Uses[id].(*types.Var)
		if !ok || v.IsField() || accesses.IsGlobal(v) {
			return nil
		}
		var list []assignment
		for b := s.body; b != nil && len(list) == 0; b = b.Parent {
			list = s.stateOf(b).values.assigns[v]
		}
		if len(list) != 1 {
			return nil
		}
		e = list[0].value
	}
	lit, _ := ast.Unparen(e).(*ast.FuncLit)
	return lit
}

// registration is the call that registers the literal, in the body or one around it.
func (s *search) registration(b *accesses.Body, lit *ast.FuncLit) (on *ast.CallExpr) {
	ast.Inspect(b.Outermost().Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && on == nil && registers.MatchString(calledName(call)) && slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return s.literalNamed(arg) == lit }) {
			on = call
		}
		return on == nil
	})
	return on
}

// locksIn says whether a lock is taken in the block, or something loaded or tried: a flag may tell of the end.
func locksIn(block *ast.BlockStmt) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch calledName(call) {
			case "Lock", "RLock", "TryLock", "Load", "CompareAndSwap", "Do":
				found = true
			}
		}
		return !found
	})
	return found
}

// waitsFromTo says whether the body waits for something with a name that says so between the two, or, where one
// is deferred, in a deferred function.
func (s *search) waitsFromTo(a, b *ast.CallExpr) bool {
	from, to := min(a.Pos(), b.Pos()), max(a.End(), b.End())
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || found || n.End() < from || to < n.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			found = n != a && n != b && waitings.MatchString(calledName(n))
		case *ast.UnaryExpr:
			_, called := ast.Unparen(n.X).(*ast.CallExpr)
			found = n.Op == token.ARROW && !called
		}
		return !found
	})
	return found
}
