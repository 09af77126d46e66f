package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// closedAsWell is where a goroutine of the package closes the channel of the receiver that c,
// in a method that others call, closes whatever its state, and asks for nothing that this method
// sets: the channel is never replaced, and so the second close panics.
//
//	func (f *feed) pump() { …; if err != nil { close(f.done); return } }
//	func (f *feed) Stop() { f.cancel(); close(f.done) }
//
// As a goroutine counts a method that itself waits for the channel to be closed by others.
func (s *search) closedAsWell(c closeCall) (*ast.CallExpr, *accesses.Body) {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || c.channel.place != (accesses.Place{Root: fn.Signature().Recv(), Path: "." + c.channel.Var.Obj.Name()}) ||
		!s.shared.Entered(s.body) || s.anyDecides(c.block) || s.inSelect(c.call) || s.recovers() || s.isReplaced(c.channel.Var) {
		return nil, nil
	}
	mine := s.body
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == mine || s.shared.Constructing(b) && b.Parent == nil {
			continue
		}
		s.bodyState = s.states[b]
		if !s.shared.Spawned(b) && !s.awaitsEnd(c.channel.Var) {
			continue
		}
		for _, other := range append(s.closeCalls(), s.deferredCloses()...) {
			if other.channel.Var == c.channel.Var && other.channel.place.Path == c.channel.place.Path && !other.held.Holds(locks.Once) && s.lookedAt(other) == nil && !s.recovers() && (!inLoop(b.Block, other.call) || leavesForGood(statementsFrom(b.Block, other.call))) && s.comesThere(b, other.block, mine, 0) {
				return other.call, b
			}
		}
	}
	return nil, nil
}

// awaitsEnd says whether the body is an exported method that has an arm for the channel in a select
// in a loop, by which it returns: it counts on another goroutine to close it meanwhile.
//
//	for { select { case <-p.done: return; case <-t.C: close(p.done); return } }
func (s *search) awaitsEnd(ch access.Var) bool {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil {
		return false
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		comm, ok := n.(*ast.CommClause)
		if !ok || found || !inLoop(s.body.Block, comm) || !leavesForGood(comm.Body) {
			return !found
		}
		recv, ok := comm.Comm.(*ast.ExprStmt)
		if !ok {
			return true
		}
		if from, ok := ast.Unparen(recv.X).(*ast.UnaryExpr); ok {
			o := s.occurrenceOf(from.X)
			found = o != nil && o.Var == ch && o.place.Root == types.Object(fn.Signature().Recv())
		}
		return true
	})
	return found
}

// closesToo names whoever else closes the channel.
func closesToo(goroutine bool) string {
	if goroutine {
		return "a goroutine"
	}
	return "who waits for that"
}

// isReplaced says whether some function other than constructors stores another channel.
func (s *search) isReplaced(ch access.Var) bool {
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		return !s.shared.Constructing(b) && s.setsAny(b, map[access.Var]bool{ch: true})
	})
}

// asksAbout are the variables that the conditions ask about which decide whether control comes
// to the block.
func (s *search) asksAbout(block int) map[access.Var]bool {
	asks := map[access.Var]bool{}
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, block); !decides {
			continue
		}
		for _, cond := range conds {
			for a := range s.values.of(cond) {
				asks[a.Var] = true
			}
			for a := range s.values.carried(cond) {
				asks[a.Var] = true
			}
		}
	}
	return asks
}

// setsAny says whether the body writes one of the variables, itself or by what it calls.
func (s *search) setsAny(b *accesses.Body, vars map[access.Var]bool) bool {
	return len(vars) > 0 && slices.ContainsFunc(s.states[b].order, func(o *occurrence) bool { return o.Mode == atomicity.Write && vars[o.Var] })
}

// claims says whether control comes to the block only if a function of the package that changes
// something says so, as h.remove(c) does for the first one alone.
func (s *search) claims(block int) bool {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, block); !decides {
			continue
		}
		for _, cond := range conds {
			for _, call := range callsIn(cond) {
				if b := s.pkg.ByFunc[s.locks.Callee(call)]; b != nil && slices.ContainsFunc(s.states[b].order, func(o *occurrence) bool { return o.Mode == atomicity.Write }) {
					return true
				}
			}
		}
	}
	return false
}

// comesThere says whether a goroutine comes to the block of b without asking for anything that
// the other body sets.
func (s *search) comesThere(b *accesses.Body, block int, other *accesses.Body, depth int) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	if b == other || s.setsAny(other, s.asksAbout(block)) || s.claims(block) {
		return false
	}
	if b.Func == nil {
		return true
	}
	callers := slices.DeleteFunc(slices.Clone(s.callersOf(b.Func)), func(from *accesses.Body) bool { return !s.shared.Spawned(from) })
	if len(callers) == 0 {
		return true
	}
	return depth < 3 && slices.ContainsFunc(callers, func(from *accesses.Body) bool {
		at := -1
		s.bodyState = s.states[from]
		s.locks.Walk(from, func(block, _ int, ev accesses.Event, held locks.Set) {
			if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && s.locks.Callee(call) == b.Func && !held.Holds(locks.Once) && s.sameReceiver(from, call) {
				at = block
			}
		})
		return at >= 0 && s.comesThere(from, at, other, depth+1)
	})
}

// sameReceiver says whether the call is of a method of an object of the body's own: its
// receiver, or, in a literal, that of the function around it.
func (s *search) sameReceiver(b *accesses.Body, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	out := b.Outermost().Func
	return ok && out != nil && (out.Signature().Recv() == nil || s.pkg.PlaceOf(sel.X).Root == types.Object(out.Signature().Recv()))
}
