package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// enteredLate finds channels that are closed once all calls in progress are over, where nothing
// keeps others from beginning after that:
//
//	func (g *gate) Close() {
//		g.calls.Wait()
//		close(g.slots)
//	}
//
//	func (g *gate) Call() {
//		g.calls.Add(1)
//		defer g.calls.Done()
//		g.slots <- struct{}{}
//
// The group is there because calls are in progress in other goroutines when the object is closed.
// One that comes after the wait counts itself in all the same, and its send panics.
func (s *search) enteredLate() {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || !fn.Exported() || !endings.MatchString(fn.Name()) || s.recovers() {
		return
	}
	recv := types.Object(fn.Signature().Recv())
	for _, wait := range s.groupCalls("Wait") {
		at := &occurrence{Access: &access.Access{}, block: wait.block, index: wait.index}
		if wait.group == nil || !wait.group.IsField() || s.pkg.PlaceOf(wait.on).Root != recv || s.anyDecides(wait.block) {
			continue
		}
		for block, events := range s.body.Events {
			for index, ev := range events {
				ch := s.closeOf(ev.Node)
				if ev.Kind != accesses.OnCall || ch == nil || s.variable(ch) == nil || !s.variable(ch).IsField() || s.pkg.PlaceOf(ch).Root != recv || s.anyDecides(block) ||
					!s.leadsTo(at, &occurrence{Access: &access.Access{}, block: block, index: index}) || s.tellsBefore(wait, at) {
					continue
				}
				send, in := s.sendsOnceClosed(wait.group, s.variable(ch))
				if send == nil {
					continue
				}
				a := &access.Access{Var: access.Var{Obj: s.variable(ch)}, Mode: atomicity.Read, Func: s.body.Fn, Expr: ch, Cell: ch}
				c := s.direct("testuse", "send-after-check", a, wait.call.Pos(), ev.Node.Pos())
				c.Roles = [2]string{"waited for", "closed"}
				c.Message = fmt.Sprintf("%s waits for the calls that are in progress, and nothing keeps one from beginning after that: %s then sends on %s, which is closed by then, and panics", types.ExprString(wait.call), in.Name, types.ExprString(ch))
				s.tell(c, &occurrence{Access: a, place: s.pkg.PlaceOf(ch)}, a)
				return
			}
		}
	}
}

// tellsBefore says whether the body does something before the wait from which others could learn
// that the end has come: it stores something, closes or sends, takes a lock, or calls a function.
func (s *search) tellsBefore(wait groupCall, at *occurrence) bool {
	for block, events := range s.body.Events {
		for index, ev := range events {
			if ev.Node == wait.call || !s.leadsTo(&occurrence{Access: &access.Access{}, block: block, index: index}, at) {
				continue
			}
			switch ev.Kind {
			case accesses.OnCall, accesses.OnSend, accesses.OnReceive, accesses.OnGo:
				return true
			}
		}
	}
	for _, o := range s.order {
		if o.Mode == atomicity.Write && s.leadsTo(o, at) {
			return true
		}
	}
	return false
}

// sendsOnceClosed is a send on the channel by another exported method, which counts itself in
// the group before it and out by a defer, and asks nothing before: no test, no lock, no receive.
func (s *search) sendsOnceClosed(group, ch *types.Var) (*ast.SendStmt, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		fn := b.Func
		if fn == nil || fn.Signature().Recv() == nil || !fn.Exported() || b == current.body || s.shared.Constructing(b) || s.shared.SetsGoing(b) {
			continue
		}
		s.bodyState = s.states[b]
		if s.recovers() || !s.countsOut(group) {
			continue
		}
		for _, add := range s.groupCalls("Add") {
			if add.group != group || add.held.Any() || s.anyDecides(add.block) || s.asksBefore(add) {
				continue
			}
			at := &occurrence{Access: &access.Access{}, block: add.block, index: add.index}
			for block, events := range b.Events {
				for index, ev := range events {
					send, ok := ev.Node.(*ast.SendStmt)
					if ok && ev.Kind == accesses.OnSend && s.variable(send.Chan) == ch && s.pkg.PlaceOf(send.Chan).Root == types.Object(fn.Signature().Recv()) &&
						!s.anyDecides(block) && s.leadsTo(at, &occurrence{Access: &access.Access{}, block: block, index: index}) {
						return send, b.Fn
					}
				}
			}
		}
	}
	return nil, nil
}

// countsOut says whether the body counts itself out of the group by a defer.
func (s *search) countsOut(group *types.Var) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			v, _ := s.groupOf(d.Call, "Done")
			found = found || v != nil && v == group
		}
		return !found
	})
	return found
}

// asksBefore says whether the body calls something, or receives, before it counts itself in.
func (s *search) asksBefore(add groupCall) bool {
	at := &occurrence{Access: &access.Access{}, block: add.block, index: add.index}
	for block, events := range s.body.Events {
		for index, ev := range events {
			if ev.Node == add.call || ev.Kind != accesses.OnCall && ev.Kind != accesses.OnReceive {
				continue
			}
			if s.leadsTo(&occurrence{Access: &access.Access{}, block: block, index: index}, at) {
				return true
			}
		}
	}
	return false
}
