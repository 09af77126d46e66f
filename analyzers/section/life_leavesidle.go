package section

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// leavesIdle finds goroutines that end when they find a list empty, and take the flag back which
// says that they run in another step, where who adds to the list starts one only if the flag is
// not set: what is added in between waits for whoever comes next.
//
//	q.mu.Lock(); empty := len(q.jobs) == 0; q.mu.Unlock()
//	if empty { q.running.Store(false); return }
//	// elsewhere: add to q.jobs; if q.running.CompareAndSwap(false, true) { go q.work() }
func (s *search) leavesIdle() {
	if !s.shared.Spawned(s.body) {
		return
	}
	for _, off := range s.order {
		if off.Mode != atomicity.Write || off.via != nil && !off.later || !off.Var.Obj.IsField() || !s.setsOff(off) {
			continue
		}
		for _, look := range s.order {
			if look.Mode != atomicity.Read || look.lit || look.Kind == access.Atomic || !look.held.Any() || look.place.Root != off.place.Root || !isSlice(look.Var.Obj.Type()) && !isMap(look.Var.Obj.Type()) ||
				!s.endsFor(look, off) || s.oneHold(look, off) {
				continue
			}
			if starter := s.startsUnless(off.Var, look.Var); starter != nil {
				c := s.direct("testuse", "lost-wakeup", look.source(), look.Pos(), off.Pos())
				c.Via = look.via
				c.EndName = s.pkg.Name(off.source().Var)
				c.Roles = [2]string{"found empty", "taken back"}
				c.Message = fmt.Sprintf("what is added to %s after it was found empty here and before %s is taken back starts no goroutine: %s finds the flag still set", look.place, off.place, starter.Fn.Name)
				s.tell(c, look, off.source())
				return
			}
		}
	}
}

// setsOff says whether the write sets a flag back to false or 0.
func (s *search) setsOff(off *occurrence) bool {
	if !isSwitch(off) && off.Kind != access.Atomic {
		return false
	}
	source := off.source()
	values := stored(source)
	return len(values) > 0 && s.unsets(values[len(values)-1])
}

// endsFor says whether the body comes from look to off because it has found nothing, and does not
// look again afterwards.
func (s *search) endsFor(look, off *occurrence) bool {
	tests := s.testsOf(look.Access, true)
	if len(tests) == 0 || !off.later && !s.leadsTo(look, off) {
		return false
	}
	if !off.later && slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.Var == look.Var && o.place == look.place && s.leadsTo(off, o)
	}) {
		return false
	}
	return slices.ContainsFunc(tests, func(test int) bool {
		return slices.ContainsFunc(s.body.Conds[test], func(cond ast.Expr) bool { return s.measures(cond, look) })
	})
}

// measures says whether the condition compares the length of what look reads with 0.
func (s *search) measures(cond ast.Expr, look *occurrence) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	for _, pair := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		if v := s.pkg.Info.Types[pair[1]].Value; v != nil && (v.String() == "0" || v.String() == "1") {
			if _, mine := s.values.of(pair[0])[look.Access]; mine && isInteger(s.pkg.Info.TypeOf(pair[0])) {
				return true
			}
		}
	}
	return false
}

// startsUnless is another function that adds to the list, and starts the goroutine that the body
// is if it finds the flag not set.
func (s *search) startsUnless(flag, list access.Var) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() {
			continue
		}
		s.bodyState = s.states[b]
		if !slices.ContainsFunc(s.order, func(o *occurrence) bool { return o.Mode == atomicity.Write && o.Var.Obj == list.Obj && s.adds(o) }) {
			continue
		}
		for _, o := range s.order {
			if o.Var != flag || o.lit || o.Mode == atomicity.Write && !rmw(o.Access) {
				continue
			}
			tests := s.testsOf(o.Access, true)
			for block, events := range b.Events {
				for _, ev := range events {
					if begin, ok := ev.Node.(*ast.GoStmt); ok && ev.Kind == accesses.OnGo && s.decided(tests, block) && s.isBegun(begin, current.body) {
						return b
					}
				}
			}
		}
	}
	return nil
}

// isBegun says whether the goroutine that begins there is the body, or calls it.
func (s *search) isBegun(begin *ast.GoStmt, body *accesses.Body) bool {
	fn := body.Outermost().Func
	if fn == nil {
		return false
	}
	if s.locks.Callee(begin.Call) == fn {
		return true
	}
	found := false
	ast.Inspect(begin.Call, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || s.locks.Callee(call) == fn
		}
		return !found
	})
	return found
}
