package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// pooledMeanwhile finds sends on a channel that was found in a map under a lock which is no longer
// held, where another function, that may have given up waiting for it, takes it out of the map and
// puts it back into a pool:
//
//	c.mu.Lock(); ch := c.waiting[id]; c.mu.Unlock()
//	ch <- answer // elsewhere: delete(c.waiting, id); c.mu.Unlock(); chans.Put(ch)
//
// Who gets the channel out of the pool next receives what was meant for another.
func (s *search) pooledMeanwhile() {
	if s.shared.Constructing(s.body) {
		return
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			send, ok := ev.Node.(*ast.SendStmt)
			if !ok || ev.Kind != accesses.OnSend || s.heldAt(block, index).Any() || s.toldOfSend(send) {
				continue
			}
			src := s.takenFrom(s.bodyState, send.Chan)
			if src == nil {
				src = s.handedOut(send.Chan)
			}
			if src == nil || src.Kind != access.MapElement || !src.held.Any() || s.before(send, src) || s.reachOf(src) < shared.Unknown || s.deletesHere(src.Var) {
				continue
			}
			put, in := s.pooledBy(src.Var, s.pkg.Info.TypeOf(send.Chan))
			if put == nil {
				continue
			}
			c := s.direct("testuse", "send-after-check", src.source(), src.Pos(), send.Pos())
			c.Roles = [2]string{"found", "sent on"}
			c.Message = fmt.Sprintf("%s can be back in its pool once %s is released, and in the hands of another by the time of the send: %s takes it out of %s and puts it back",
				types.ExprString(send.Chan), anyOf(src.held), in.Fn.Name, s.pkg.Name(src.Var))
			if src.via != nil {
				c.Via, c.Within = src.via, src.where()
			}
			s.tell(c, src, src.source())
			return
		}
	}
}

// deletesHere says whether the body, itself or by what it calls, deletes entries of the map: it
// may have taken the channel out for itself.
func (s *search) deletesHere(m access.Var) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Var == m && o.Mode == atomicity.Write
	})
}

// pooledBy is where another function deletes an entry of the map under a lock and puts a channel, a
// local of its own or what it was given, into a pool, where some function of the package stops
// waiting for such a channel for another reason than that something has come.
func (s *search) pooledBy(m access.Var, ch types.Type) (*ast.CallExpr, *accesses.Body) {
	if !s.stopsWaiting(ch) {
		return nil, nil
	}
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || !slices.ContainsFunc(s.states[b].order, func(o *occurrence) bool {
			return o.Var == m && o.Method == "delete" && o.via == nil && o.held.Any()
		}) {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if d, deferred := ev.Node.(*ast.DeferStmt); deferred && ev.Kind == accesses.OnDefer {
					call, ok = d.Call, true
				} else if ev.Kind != accesses.OnCall {
					continue
				}
				if ok && s.puts(call, ch) {
					return call, b
				}
			}
		}
	}
	return nil, nil
}

// puts says whether the call puts a channel of that kind into a pool, itself or by a function of
// the package that is there for it.
func (s *search) puts(call *ast.CallExpr, ch types.Type) bool {
	if len(call.Args) != 1 || identOf(call.Args[0]) == nil || !sameElements(s.pkg.Info.TypeOf(call.Args[0]), ch) {
		return false
	}
	if s.ofPool(call, "Put") {
		return true
	}
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	if b == nil || fn.Signature().Params().Len() != 1 {
		return false
	}
	for _, events := range b.Events {
		for _, ev := range events {
			inner, ok := ev.Node.(*ast.CallExpr)
			if ok && ev.Kind == accesses.OnCall && s.ofPool(inner, "Put") && len(inner.Args) == 1 && s.mentions(inner.Args[0], fn.Signature().Params().At(0)) {
				return true
			}
		}
	}
	return false
}

// stopsWaiting says whether a function waits for a channel of that kind in a select with another arm to
// wait in.
func (s *search) stopsWaiting(ch types.Type) bool {
	found := false
	for _, b := range s.pkg.Bodies {
		ast.Inspect(b.Block, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectStmt)
			if !ok {
				return !found
			}
			waits, other := false, false
			for _, clause := range sel.Body.List {
				from := received(clause.(*ast.CommClause))
				switch {
				case from == nil:
				case identOf(from) != nil && sameElements(s.pkg.Info.TypeOf(from), ch):
					waits = true
				default:
					other = true
				}
			}
			found = found || waits && other
			return !found
		})
	}
	return found
}

// sameElements says whether both are channels of one type of elements.
func sameElements(a, b types.Type) bool {
	if a == nil || b == nil {
		return false
	}
	x, isChan := a.Underlying().(*types.Chan)
	y, also := b.Underlying().(*types.Chan)
	return isChan && also && types.Identical(x.Elem(), y.Elem())
}
