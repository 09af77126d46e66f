package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// takenChannels finds sends on a channel that was taken out of a field or map under
// a lock which is no longer held: another function takes the channel out as well,
// and closes it.
func (s *search) takenChannels() {
	if s.recovers() || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		if ev.Kind != accesses.OnSend || held.Any() {
			return
		}
		send := ev.Node.(*ast.SendStmt)
		src := s.takenFrom(s.bodyState, send.Chan)
		if src == nil {
			src = s.handedOut(send.Chan)
		}
		copied := src == nil
		if copied {
			src = s.copiedOut(send.Chan)
		}
		if src == nil || !src.held.Any() || s.before(send, src) || s.reachOf(src) < shared.Meant {
			return
		}
		if !s.closedElsewhere(src.Var) {
			return
		}
		closers := s.closers[src.Var]
		if src.via != nil || copied {
			if closers = s.unawaited(src.Var); s.inFlight(send.Pos()) {
				return
			}
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, src.Var, closers); !strong {
			return
		}
		c := s.direct("testuse", "send-after-check", src.Access, src.Pos(), send.Pos())
		c.Roles = [2]string{"taken", "sent on"}
		c.Message = fmt.Sprintf("%s can be closed by another goroutine once %s is released, and the send then panics", types.ExprString(send.Chan), anyOf(src.held))
		if src.via != nil {
			c.Via, c.Within = src.via, src.where()
		}
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
	value := ast.Unparen(list[0].value)
	if id, ok := value.(*ast.Ident); ok && !list[0].plain { // for _, list := range m { for _, e := range list
		if of := st.values.assigns[s.pkg.Info.ObjectOf(id)]; len(of) == 1 && !of[0].plain {
			value = ast.Unparen(of[0].value)
		}
	}
	for _, a := range st.values.reads[value] {
		if o := st.occ[a]; o != nil && o.via == nil && (a.Kind == access.Cell || a.Kind == access.MapElement) {
			return o
		}
	}
	return nil
}

// handedOut is the read under a lock by which a getter finds the channel e that it returns,
// or nil. What the getter makes where there is none is found by the next one.
func (s *search) handedOut(e ast.Expr) *occurrence {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok {
		list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(list) != 1 {
			return nil
		}
		e = ast.Unparen(list[0].value)
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil
	}
	for _, a := range s.values.reads[call] {
		if o := s.occ[a]; o != nil && o.via == call && !o.outer.Any() && (a.Kind == access.Cell || a.Kind == access.MapElement) {
			return o
		}
	}
	return nil
}

// unawaited are the other functions that close channels of the variable, and do not wait for
// the senders before.
func (s *search) unawaited(v access.Var) map[*accesses.Body]bool {
	list := map[*accesses.Body]bool{}
	for b := range s.closers[v] {
		if b.Outermost() != s.body.Outermost() && !s.awaitsSenders(b) {
			list[b] = true
		}
	}
	return list
}

var signals = pattern.New(`(?i)^(cancel|stop|close|quit|shutdown)$`)

// awaitsSenders says whether the body waits for a group of goroutines, or tells somebody
// to stop and waits for an answer: those may be the senders.
func (s *search) awaitsSenders(b *accesses.Body) bool {
	told, waits := token.Pos(math.MaxInt), false
	for _, events := range b.Events {
		for _, ev := range events {
			if ev.Kind != accesses.OnCall {
				continue
			}
			call := ev.Node.(*ast.CallExpr)
			name := types.ExprString(call.Fun)
			if name = name[strings.LastIndexByte(name, '.')+1:]; signals.MatchString(name) {
				told = min(told, ev.Pos())
			}
			waits = waits || name == "Wait"
		}
	}
	for _, events := range b.Events {
		for _, ev := range events {
			waits = waits || ev.Kind == accesses.OnReceive && told < ev.Pos()
		}
	}
	return waits
}

// closedElsewhere says whether another function closes channels that it has taken
// from the variable.
func (s *search) closedElsewhere(v access.Var) bool {
	if s.closers == nil {
		s.closers = map[access.Var]map[*accesses.Body]bool{}
		current := s.bodyState
		for _, b := range s.pkg.Bodies {
			st := s.states[b]
			s.bodyState = st
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
					var v access.Var
					local := o != nil && !o.Var.Obj.IsField() && !accesses.IsGlobal(o.Var.Obj) // what a literal captures
					if o != nil && !local {
						v = o.Var
					} else if list := s.takenOff(ch); list != nil {
						v = *list
					} else if m := s.givenUp(ch, ev.Node); m != nil {
						v = *m
					} else if local {
						v = o.Var
					} else {
						continue
					}
					s.addCloser(v, b)
					if v.Contents = isContainer(v.Obj.Type()); v.Contents { // for _, ch := range m
						s.addCloser(v, b)
					}
				}
			}
		}
		s.bodyState = current
	}
	for b := range s.closers[v] {
		if b.Outermost() != s.body.Outermost() {
			return true
		}
	}
	return false
}

func (s *search) addCloser(v access.Var, b *accesses.Body) {
	if s.closers[v] == nil {
		s.closers[v] = map[*accesses.Body]bool{}
	}
	s.closers[v][b] = true
}
