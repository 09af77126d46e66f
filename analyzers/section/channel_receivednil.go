package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// receivedNil finds methods that receive an object from a channel of theirs and use it without asking
// whether there is one, where another method closes the channel while the first one can be called:
//
//	func (p *Pool) Get() Conn { select { case c := <-p.idle: if c.Alive() { return c } … } … }
//
//	func (p *Pool) Close() { close(p.idle); for c := range p.idle { c.Close() } }
//
// What comes out of a closed channel is nil. The channel is one that the methods give objects back to:
// no queue, whose end the one who receives may know of.
func (s *search) receivedNil() {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || !fn.Exported() || s.shared.Constructing(s.body) || !s.shared.Entered(s.body) || s.shared.Sequential(s.body) {
		return
	}
	recv := types.Object(fn.Signature().Recv())
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if _, isLit := n.(*ast.FuncLit); isLit {
			return false
		}
		set, ok := n.(*ast.AssignStmt)
		if !ok || len(set.Lhs) != 1 || len(set.Rhs) != 1 || identOf(set.Lhs[0]) == nil {
			return true
		}
		from, ok := ast.Unparen(set.Rhs[0]).(*ast.UnaryExpr)
		if !ok || from.Op != token.ARROW {
			return true
		}
		ch := s.occurrenceOf(from.X)
		if ch == nil || ch.place.Root != recv || !ch.Var.Obj.IsField() || s.reachOf(ch) == shared.Private {
			return true
		}
		local := s.pkg.Info.ObjectOf(identOf(set.Lhs[0]))
		use := s.usedUnlooked(local, set)
		if use == nil || !s.givenBackBy(ch) {
			return true
		}
		if c, in := s.closedByAnother(ch); in != nil {
			cand := s.direct("testuse", "send-after-check", ch.Access, from.Pos(), use.Pos())
			cand.Roles = [2]string{"received from", "used without a look"}
			cand.Message = fmt.Sprintf("%s closes %s, and may be called by another goroutine: what is received here is nil then, and is used without a look",
				in.Name, types.ExprString(from.X))
			s.tell(cand, ch, c.channel.Access)
		}
		return true
	})
}

// usedUnlooked is the first use of the local after the receive, if that panics where the local is nil,
// and nothing in the function compares it with nil.
func (s *search) usedUnlooked(local types.Object, set *ast.AssignStmt) ast.Node {
	if local == nil {
		return nil
	}
	deref := false
	switch t := local.Type().Underlying().(type) {
	case *types.Pointer:
		_, deref = t.Elem().Underlying().(*types.Struct)
	case *types.Interface:
		deref = true
	}
	if !deref {
		return nil
	}
	var use ast.Node
	first, asked := token.NoPos, false
	ast.PreorderStack(s.body.Block, nil, func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || s.pkg.Info.Uses[id] != local || id.Pos() < set.End() {
			return true
		}
		switch at := stack[len(stack)-1].(type) {
		case *ast.BinaryExpr:
			asked = asked || s.pkg.Info.Types[at.X].IsNil() || s.pkg.Info.Types[at.Y].IsNil()
		case *ast.SelectorExpr:
			if first == token.NoPos && s.panicsOnNil(at) {
				use = at
			}
		}
		if first == token.NoPos {
			first = id.Pos()
		}
		return true
	})
	if asked {
		return nil
	}
	return use
}

// panicsOnNil says whether the field or method cannot be had of nil: a method of a pointer can, if it
// asks for that itself, or is not known.
func (s *search) panicsOnNil(sel *ast.SelectorExpr) bool {
	of := s.pkg.Info.Selections[sel]
	if of == nil {
		return false
	}
	if _, ok := of.Recv().Underlying().(*types.Interface); ok || of.Kind() == types.FieldVal {
		return true
	}
	fn, _ := of.Obj().(*types.Func)
	if fn == nil || s.pkg.ByFunc[fn.Origin()] == nil {
		return false
	}
	b := s.pkg.ByFunc[fn.Origin()]
	recv := types.Object(fn.Origin().Signature().Recv())
	asks := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if x, ok := n.(*ast.BinaryExpr); ok && s.isObject(x.X, recv) && s.pkg.Info.Types[x.Y].IsNil() {
			asks = true
		}
		return !asks
	})
	return !asks && slices.ContainsFunc(s.states[b].order, func(o *occurrence) bool { return o.place.Root == recv && o.via == nil })
}

// givenBackBy says whether another exported method, for outside callers, sends on the channel of its
// own object what it was given.
func (s *search) givenBackBy(ch *occurrence) bool {
	for _, b := range s.pkg.Bodies {
		if b == s.body || b.Func == nil || !b.Func.Exported() || b.Func.Signature().Recv() == nil || !s.shared.Entered(b) {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				send, ok := ev.Node.(*ast.SendStmt)
				if !ok || ev.Kind != accesses.OnSend {
					continue
				}
				id, isLocal := ast.Unparen(send.Value).(*ast.Ident)
				if isLocal && s.pkg.PlaceOf(send.Chan).Field() == ch.Var.Obj && hasParameter(b.Type(s.pkg.Info), s.pkg.Info.ObjectOf(id)) {
					return true
				}
			}
		}
	}
	return false
}

// closedByAnother is where another method that ends the object closes the channel, and who does. The
// two may not agree on anything: on a lock that both take, or on a variable of the object that the one
// sets and the other looks at.
func (s *search) closedByAnother(ch *occurrence) (closeCall, *access.Function) {
	taken := slices.ContainsFunc(s.order, func(o *occurrence) bool { return o.held.Any() })
	closers := s.closersOf(ch.Var)
	for _, b := range s.pkg.Bodies {
		c, closes := closers[b]
		fn := b.Func
		if !closes || b == s.body || fn == nil || !fn.Exported() || !endings.MatchString(fn.Name()) || fn.Signature().Recv() == nil || c.channel.place.Root != types.Object(fn.Signature().Recv()) || len(c.held) > 0 && taken {
			continue
		}
		agreed := slices.ContainsFunc(s.states[b].order, func(w *occurrence) bool {
			return w.Mode == atomicity.Write && slices.ContainsFunc(s.order, func(r *occurrence) bool { return r.Var == w.Var })
		})
		for _, other := range s.closeCallsOf(b) {
			agreed = agreed || other.channel.Var != ch.Var && slices.ContainsFunc(s.order, func(r *occurrence) bool { return r.Var == other.channel.Var })
		}
		if !agreed {
			return c, b.Fn
		}
	}
	return closeCall{}, nil
}

// closeCallsOf are the closes in another body.
func (s *search) closeCallsOf(b *accesses.Body) (list []closeCall) {
	s.inState(b, func() { list = s.closeCalls() })
	return list
}
