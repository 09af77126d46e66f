package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
)

// closedByHub finds channels of clients that the loop of a hub closes when it drops one, while another
// goroutine sends on the channel of that client without a lock:
//
//	case c := <-h.unregister:
//		delete(h.clients, c)
//		close(c.send)
//
//	func (c *Client) Reply(m []byte) { c.send <- m } // a handler, which knows nothing of it
//
// A goroutine that unregisters the client itself has sent all that it sends by then.
func (s *search) closedByHub() {
	if s.recovers() || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	told := map[types.Object]bool{}
	for _, c := range s.closeCalls() {
		field := c.channel.place.Field()
		root, _ := c.channel.place.Root.(*types.Var)
		if field == nil || root == nil || told[field] || len(c.held) > 0 || !inLoop(s.body.Block, c.call) || s.shared.Entered(s.body) && endlessLoopAround(s.body.Block, c.call.Pos()) == nil || s.replacedHere(c) {
			continue
		}
		asked := s.droppedIn(c, root)
		if asked == nil || asked.request != nil && !s.requestedInside(asked.request) {
			continue
		}
		send, in := s.sendsToDropped(field, asked)
		if send == nil {
			continue
		}
		told[field] = true
		d := s.direct("testuse", "send-after-check", c.channel.Access, c.channel.Pos(), send.Pos())
		d.Roles = [2]string{"closed", "sent on"}
		d.Message = fmt.Sprintf("%s is closed here when the loop drops it, and %s of another goroutine sends on it and cannot know: a send on a closed channel panics", types.ExprString(c.channel.Expr), in.Fn.Name)
		s.tell(d, c.channel, c.channel.Access)
	}
}

// dropping is how a loop comes to drop an object: others ask for it on a channel, or it decides by
// itself, since the object does not take what it is sent.
type dropping struct{ request *types.Var }

// droppedIn is how the object comes to its end at c, if the loop has it from a channel, in an arm of a
// select, or walks through those that it keeps.
func (s *search) droppedIn(c closeCall, root *types.Var) *dropping {
	var found *dropping
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || c.call.Pos() < n.Pos() || n.End() < c.call.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			id := identOf(n.Key)
			if !isMap(s.pkg.Info.TypeOf(n.X)) {
				id = identOf(n.Value)
			} else if n.Value != nil && identOf(n.Value) != nil && s.pkg.Info.ObjectOf(identOf(n.Value)) == types.Object(root) {
				id = identOf(n.Value)
			}
			if id != nil && s.pkg.Info.ObjectOf(id) == types.Object(root) {
				found = &dropping{}
			}
		case *ast.CommClause:
			assign, ok := n.Comm.(*ast.AssignStmt)
			if !ok || assign.Tok != token.DEFINE {
				return true
			}
			if id := identOf(assign.Lhs[0]); id != nil && s.pkg.Info.ObjectOf(id) == types.Object(root) {
				if ch := s.variable(received(n)); ch != nil && ch.IsField() {
					found = &dropping{request: ch}
				}
			}
		}
		return true
	})
	if found != nil && found.request == nil && !s.inSelectDefault(c.call) {
		return nil // at the end of all
	}
	return found
}

// inSelectDefault says whether the call is in the default case of a select that sends.
func (s *search) inSelectDefault(call *ast.CallExpr) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok || call.Pos() < sel.Pos() || sel.End() < call.End() {
			return true
		}
		sends, here := false, false
		for _, clause := range sel.Body.List {
			comm := clause.(*ast.CommClause)
			_, isSend := comm.Comm.(*ast.SendStmt)
			sends = sends || isSend
			here = here || comm.Comm == nil && comm.Pos() <= call.Pos() && call.End() <= comm.End()
		}
		found = found || sends && here
		return true
	})
	return found
}

// sendsToDropped is a send on the channel of the field in a goroutine other than the loop's, with no
// lock held, and by none that asks for the end of the object itself.
func (s *search) sendsToDropped(field *types.Var, how *dropping) (*ast.SendStmt, *accesses.Body) {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || s.stateOf(b) == nil {
			continue
		}
		if how.request != nil && s.requests(b.Outermost(), how.request) {
			continue
		}
		var found *ast.SendStmt
		s.inState(b, func() {
			if s.recovers() || !s.shared.Launched(b) && !s.shared.Entered(b) && !s.shared.Spawned(b) {
				return
			}
			for block, events := range b.Events {
				for index, ev := range events {
					send, ok := ev.Node.(*ast.SendStmt)
					if !ok || ev.Kind != accesses.OnSend || found != nil || len(s.heldAt(block, index)) > 0 {
						continue
					}
					ch := s.occurrenceOf(send.Chan)
					if ch == nil || ch.Var.Obj != types.Object(field) || s.reachOf(ch) == shared.Private || s.asksOfIt(ch, block) {
						continue
					}
					found = send
				}
			}
		})
		if found == nil {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, access.Var{Obj: field}, map[*accesses.Body]bool{b: true}); strong {
			return found, b
		}
	}
	return nil, nil
}

// requestedInside says whether a function that is not exported sends on the channel: the end comes by
// itself, and not only from who uses the object.
func (s *search) requestedInside(request *types.Var) bool {
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		fn := b.Outermost().Func
		return (fn == nil || !fn.Exported()) && s.requests(b, request)
	})
}

// requests says whether the function, or a literal of it, sends on the channel by which others ask the
// loop to drop an object.
func (s *search) requests(b *accesses.Body, request *types.Var) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		x, ok := n.(*ast.SendStmt)
		found = found || ok && s.variable(x.Chan) == request
		return !found
	})
	return found
}

// asksOfIt says whether something of the object decides whether control comes to the block.
func (s *search) asksOfIt(ch *occurrence, block int) bool {
	for test, conds := range s.body.Conds {
		decides, _ := s.decides(test, block)
		if decides && slices.ContainsFunc(conds, func(cond ast.Expr) bool { return s.mentions(cond, ch.place.Root) }) {
			return true
		}
	}
	return false
}
