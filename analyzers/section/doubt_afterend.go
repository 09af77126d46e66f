package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// afterItsEnd says whether w, in the body that is looked at, comes only after a wait for the end of
// what runs the body b, which does o: a receive from a channel that this closes in the end, or the
// Wait of a WaitGroup that it counts itself out of.
//
//	close(x.quit)
//	<-x.done // the loop: defer close(x.done)
//	x.state.Store(stopped)
func (s *search) afterItsEnd(w *occurrence, b *accesses.Body, o *occurrence) bool {
	for block, events := range s.body.Events {
		for index, ev := range events {
			over := s.waitedFor(ev)
			if over.Field() == nil || !over.Beside(w.place) {
				continue
			}
			in, at := block, index
			if recv, ok := ev.Node.(*ast.UnaryExpr); ok {
				if chosen := caseOf(s.body, recv); chosen >= 0 {
					in, at = chosen, -1
				}
			}
			if always(s.body, in, at, w.block, w.index) && s.endsBehind(b, o.block, o.index, o.place, over.Field(), 0) {
				return true
			}
		}
	}
	return false
}

// waitedFor is the channel that the event receives from, or the WaitGroup that it waits for.
func (s *search) waitedFor(ev accesses.Event) accesses.Place {
	switch n := ev.Node.(type) {
	case *ast.UnaryExpr:
		if ev.Kind == accesses.OnReceive && n.Op == token.ARROW {
			return s.pkg.PlaceOf(n.X)
		}
	case *ast.CallExpr:
		if ev.Kind == accesses.OnCall {
			return s.ofWaitGroup(n, "Wait")
		}
	}
	return accesses.Place{}
}

// ofWaitGroup is the WaitGroup whose method of the name the call is of.
func (s *search) ofWaitGroup(call *ast.CallExpr, name string) accesses.Place {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn := s.locks.Callee(call); !ok || fn == nil || fn.FullName() != "(*sync.WaitGroup)."+name {
		return accesses.Place{}
	}
	return s.pkg.PlaceOf(sel.X)
}

// endsBehind says whether the event of the body, about what is at the place, comes before the body,
// or each one that calls it, closes the channel v of the object or counts itself out of the
// WaitGroup v. No goroutine begins with a body between the two.
func (s *search) endsBehind(b *accesses.Body, block, index int, place accesses.Place, v *types.Var, depth int) bool {
	for at, events := range b.Events {
		for i, ev := range events {
			over := s.endTold(ev)
			if over.Field() != v || !over.Beside(place) {
				continue
			}
			if ev.Kind == accesses.OnDefer && always(b, at, i, block, index) || ev.Kind == accesses.OnCall && neverWithout(b, at, i, block, index) {
				_, isChan := v.Type().Underlying().(*types.Chan)
				return isChan && s.closedOnlyIn(v, b) || !isChan && s.begunFirst(b)
			}
		}
	}
	fn := b.Func
	if fn == nil || depth > 3 || s.pkg.Exported(fn) || fn.Signature().Recv() == nil || place.Object() != (accesses.Place{Root: fn.Signature().Recv()}) {
		return false
	}
	callers := s.callersOf(fn)
	if len(callers) == 0 || s.mentioned(fn) != len(callers) {
		return false
	}
	for _, from := range callers {
		for block, events := range from.Events {
			for index, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn {
					continue
				}
				on := s.receiverOf(call)
				if !on.Valid() || !s.endsBehind(from, block, index, accesses.Place{Root: on.Root, Path: on.Path + place.Path}, v, depth+1) {
					return false
				}
			}
		}
	}
	return true
}

// begunFirst says whether goroutines begin with the body only where objects are made or set going.
func (s *search) begunFirst(b *accesses.Body) bool {
	begun := false
	for _, from := range s.pkg.Bodies {
		for _, events := range from.Events {
			for _, ev := range events {
				if begin, ok := ev.Node.(*ast.GoStmt); !ok || ev.Kind != accesses.OnGo || s.begunBy(begin.Call) != b {
					continue
				}
				if begun = true; !s.shared.Constructing(from) && !s.shared.SetsGoing(from) {
					return false
				}
			}
		}
	}
	return begun
}

// endTold is the channel that the event closes, or the WaitGroup that it counts out of, now or deferred.
func (s *search) endTold(ev accesses.Event) accesses.Place {
	if x := s.signal(ev); x != nil {
		return s.pkg.PlaceOf(x)
	}
	switch n := ev.Node.(type) {
	case *ast.DeferStmt:
		if ev.Kind == accesses.OnDefer {
			return s.ofWaitGroup(n.Call, "Done")
		}
	case *ast.CallExpr:
		if ev.Kind == accesses.OnCall {
			return s.ofWaitGroup(n, "Done")
		}
	}
	return accesses.Place{}
}
