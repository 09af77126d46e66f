package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// straight are the body of the function that the call runs, and its events, where that is
// one that is not exported and goes from its beginning to its end, whatever the state: to
// call it is to do what it does. The body is nil for all others.
func (s *search) straight(call *ast.CallExpr) (b *accesses.Body, events []accesses.Event) {
	fn := s.locks.Callee(call)
	if fn == nil || fn.Exported() {
		return nil, nil
	}
	b = s.pkg.ByFunc[fn]
	if b == nil || b == s.body {
		return nil, nil
	}
	for i, block := range b.CFG.Blocks {
		if !block.Live {
			continue
		}
		if len(block.Succs) > 1 {
			return nil, nil
		}
		events = append(events, b.Events[i]...)
	}
	for _, ev := range events {
		if ev.Kind == accesses.OnDefer {
			return nil, nil
		}
	}
	return b, events
}

// withStraight are the events of a block, with those of the functions that it calls and
// that have no branches.
func (s *search) withStraight(events []accesses.Event) []accesses.Event {
	var all []accesses.Event
	for _, ev := range events {
		all = append(all, ev)
		if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
			_, below := s.straight(call)
			all = append(all, below...)
		}
	}
	return all
}

// closesBelow lists the calls, in the body, of functions without branches that close a
// channel which others have.
func (s *search) closesBelow() []closeCall {
	var list []closeCall
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall {
			return
		}
		b, below := s.straight(call)
		for _, inner := range below {
			ch := s.closeOf(inner.Node)
			if ch == nil {
				continue
			}
			for _, o := range s.calls[call] {
				if o.origin != nil && b.Has(o.origin.Func) && ast.Unparen(o.origin.Expr) == ch && o.place.Valid() && s.reachOf(o) != shared.Private {
					list = append(list, closeCall{call, o, held, block})
				}
			}
		}
	})
	return list
}

// deferredCloses lists the deferred calls of close in the body, where they are deferred.
func (s *search) deferredCloses() []closeCall {
	var list []closeCall
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		d, ok := ev.Node.(*ast.DeferStmt)
		if !ok || ev.Kind != accesses.OnDefer {
			return
		}
		if ch := s.closeOf(d.Call); ch != nil {
			if o := s.occurrenceOf(ch); o != nil && o.place.Valid() && s.reachOf(o) != shared.Private {
				list = append(list, closeCall{d.Call, o, held, block})
			}
		}
	})
	return list
}

// belongsTo says whether the function of the body is not exported and nothing but the function
// of whole mentions it: it is a part of that one, and no other one.
func (s *search) belongsTo(body, whole *accesses.Body) bool {
	if body == nil {
		return false
	}
	fn := body.Outermost().Func
	if fn == nil || fn.Exported() || whole.Outermost().Func == nil || len(s.callersOf(fn)) == 0 {
		return false
	}
	for _, b := range s.callersOf(fn) {
		if b.Outermost() != whole.Outermost() {
			return false
		}
	}
	return s.mentioned(fn) == len(s.callersOf(fn))
}

// mentioned is how often the package names the function.
func (s *search) mentioned(fn *types.Func) int {
	if s.namings == nil {
		s.namings = map[*types.Func]int{}
		for _, obj := range s.pkg.Info.Uses {
			if f, ok := obj.(*types.Func); ok {
				s.namings[f.Origin()]++
			}
		}
	}
	return s.namings[fn.Origin()]
}
