package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
)

// takenChannels finds sends on a channel that was taken out of a field or map under
// a lock which is no longer held: another function takes the channel out as well,
// and closes it.
func (s *search) takenChannels() {
	if s.recovers() || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		if ev.Kind != accesses.OnSend || held.Any() {
			return
		}
		send := ev.Node.(*ast.SendStmt)
		src := s.takenFrom(s.bodyState, send.Chan)
		if src == nil || !src.held.Any() || src.Pos() > send.Pos() || s.reachOf(src) < shared.Meant {
			return
		}
		if !s.closedElsewhere(src.Var) {
			return
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, src.Var, s.closers[src.Var]); !strong {
			return
		}
		c := s.direct("testuse", "send-after-check", src.Access, src.Pos(), send.Pos())
		c.Roles = [2]string{"taken", "sent on"}
		c.Message = fmt.Sprintf("%s can be closed by another goroutine once %s is released, and the send then panics", types.ExprString(send.Chan), anyOf(src.held))
		s.tell(c, src, src.Access)
	})
}

// takenFrom is the read whose value the local e holds, or nil.
func (s *search) takenFrom(st *bodyState, e ast.Expr) *occurrence {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	list := st.values.assigns[s.pkg.Info.ObjectOf(id)]
	if len(list) != 1 {
		return nil
	}
	for _, a := range st.values.reads[ast.Unparen(list[0].value)] {
		if o := st.occ[a]; o != nil && o.via == nil && (a.Kind == access.Cell || a.Kind == access.MapElement) {
			return o
		}
	}
	return nil
}

// closedElsewhere says whether another function closes channels that it has taken
// from the variable.
func (s *search) closedElsewhere(v access.Var) bool {
	if s.closers == nil {
		s.closers = map[access.Var]map[*accesses.Body]bool{}
		for _, b := range s.pkg.Bodies {
			st := s.states[b]
			for _, events := range b.Events {
				for _, ev := range events {
					ch := s.closeOf(ev.Node)
					if ev.Kind != accesses.OnCall || ch == nil {
						continue
					}
					o := s.takenFrom(st, ch)
					for _, a := range st.values.reads[ch] {
						if st.occ[a] != nil {
							o = st.occ[a]
						}
					}
					if o == nil {
						continue
					}
					if s.closers[o.Var] == nil {
						s.closers[o.Var] = map[*accesses.Body]bool{}
					}
					s.closers[o.Var][b] = true
				}
			}
		}
	}
	for b := range s.closers[v] {
		if b.Outermost() != s.body.Outermost() {
			return true
		}
	}
	return false
}
