package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// twoEvents finds channels that two goroutines of one function close, each on an event from outside
// of its own, such as a signal, a timer or the end of a context, which come one as well as the other:
//
//	go func() { <-sigs; close(quit) }()
//	go func() {
//		select {
//		case <-idle.C:
//			close(quit)
//		case <-quit:
//		}
//	}()
//
// The second one looks whether it is closed, the first one does not: it panics when its event comes
// later.
func (s *search) twoEvents() {
	closes := s.closesOnEvents()
	for i, c := range closes {
		for _, first := range closes[:i] {
			if c.channel.place != first.channel.place || c.looks && first.looks || c.lit == first.lit {
				continue
			}
			d := s.direct("testuse", "double-close", c.channel.Access, first.call.Pos(), c.call.Pos())
			d.Roles = [2]string{"closed", "closed again"}
			d.Message = fmt.Sprintf("%s is closed here, and by another goroutine on another event: both can come, and nothing is looked at before the second close, which panics", types.ExprString(c.channel.Expr))
			s.tell(d, c.channel, c.channel.Access)
			return
		}
	}
}

// eventClose is a close in a goroutine that waits for an event from outside; looks says that it waits
// for the end of the channel at the same time.
type eventClose struct {
	closeCall
	lit   *ast.FuncLit
	looks bool
}

// closesOnEvents are those in the literals that the body starts, once each and whatever is the case.
func (s *search) closesOnEvents() []eventClose {
	var list []eventClose
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for block, events := range current.body.Events {
		for _, ev := range events {
			g, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo {
				continue
			}
			lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit)
			if !ok || s.pkg.ByNode[lit] == nil || inLoop(current.body.Block, g) || s.anyDecides(block) {
				continue
			}
			s.bodyState = s.states[s.pkg.ByNode[lit]]
			for _, c := range s.closeCalls() {
				local, isVar := c.channel.place.Root.(*types.Var)
				if !isVar || c.channel.place.Path != "" || lit.Pos() <= local.Pos() && local.Pos() < lit.End() || current.values != nil && len(current.values.assigns[local]) != 1 {
					continue
				}
				if c.held.Any() || len(c.held) > 0 || s.recovers() || s.anyDecides(c.block) || inLoop(lit.Body, c.call) || s.lookedAt(c) != nil {
					continue
				}
				if event, looks := s.eventBefore(c); event {
					list = append(list, eventClose{c, lit, looks})
				}
			}
			s.bodyState = current
		}
	}
	return list
}

// eventBefore says whether the goroutine waits for nothing but one event from outside before the
// close, and whether the end of the channel itself keeps it from the close.
func (s *search) eventBefore(c closeCall) (event, looks bool) {
	for _, events := range s.body.Events {
		for _, ev := range events {
			u, ok := ev.Node.(*ast.UnaryExpr)
			if !ok || ev.Kind != accesses.OnReceive || u.Pos() > c.call.Pos() && !s.sameSelect(u, c.call) {
				continue
			}
			switch {
			case s.pkg.PlaceOf(u.X) == c.channel.place:
				looks = true
			case !inArm(s.body.Block, u, c.call):
			case s.isTick(u) || s.fromOutside(u.X):
				event = true
			default:
				return false, false
			}
		}
	}
	return event, looks
}

// sameSelect says whether both lie in one select.
func (s *search) sameSelect(a, b ast.Node) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectStmt); ok {
			found = found || sel.Pos() <= a.Pos() && a.End() <= sel.End() && sel.Pos() <= b.Pos() && b.End() <= sel.End()
		}
		return !found
	})
	return found
}

// fromOutside says whether the channel is one of signals, or the end of a context.
func (s *search) fromOutside(ch ast.Expr) bool {
	if call, ok := ast.Unparen(ch).(*ast.CallExpr); ok {
		fn := s.locks.Callee(call)
		return fn != nil && fn.FullName() == "(context.Context).Done"
	}
	t, ok := s.values.underlying(ch).(*types.Chan)
	if !ok {
		return false
	}
	tn := accesses.TypeName(t.Elem())
	return tn != nil && tn.Pkg() != nil && tn.Pkg().Path() == "os" && tn.Name() == "Signal"
}
