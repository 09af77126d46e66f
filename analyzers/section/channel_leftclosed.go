package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// leftClosed finds functions that look a channel up in a map under a lock, and close it when
// the lock has been released, without taking it out of the map: until another function does
// that, who comes with the same key finds it again, and closes it a second time.
func (s *search) leftClosed() {
	if s.recovers() || s.shared.Constructing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		ch := s.closeOf(ev.Node)
		if ev.Kind != accesses.OnCall || ch == nil || held.Any() {
			return
		}
		src := s.takenFrom(s.bodyState, ch)
		if src == nil || src.Kind != access.MapElement || !s.ownLockOf(src, src.held) || s.before(ev, src) || s.reachOf(src) < shared.Meant || s.looksInto(ch) {
			return
		}
		for _, w := range s.order {
			if w.Mode == atomicity.Write && w.Var.Obj == src.Var.Obj {
				return // it is taken out, or something else put in its place
			}
		}
		in := s.takesOut(src)
		if in == nil {
			return
		}
		c := s.direct("testuse", "double-close", src.Access, src.Pos(), ev.Pos())
		c.Roles = [2]string{"looked up", "closed"}
		c.Message = fmt.Sprintf("%s is closed here and left in %s until %s takes it out: who comes with the same key before finds it there, and closes it a second time",
			types.ExprString(ch), types.ExprString(src.Cell), in.Fn.Name)
		s.tell(c, src, src.Access)
	})
}

// looksInto says whether the body receives from the channel, as a look whether it is closed.
func (s *search) looksInto(ch ast.Expr) bool {
	id, ok := ast.Unparen(ch).(*ast.Ident)
	if !ok {
		return true
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			if u, ok := ev.Node.(*ast.UnaryExpr); ok && ev.Kind == accesses.OnReceive && s.isObject(u.X, s.pkg.Info.ObjectOf(id)) {
				return true
			}
		}
	}
	return false
}

// takesOut is another function that deletes entries of the map under a lock, and runs beside
// the body.
func (s *search) takesOut(src *occurrence) *accesses.Body {
	for _, b := range s.pkg.Bodies {
		if b == s.body || s.shared.Constructing(b) {
			continue
		}
		for _, w := range s.states[b].order {
			if w.Var != src.Var || w.Method != "delete" || w.via != nil || !w.held.Any() {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, src.Var, map[*accesses.Body]bool{b: true}); strong {
				return b
			}
		}
	}
	return nil
}
