package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// endedTwice finds objects that are looked up in a map and ended by a method which closes a
// channel without a look, where they are taken out of the map in a step of its own:
//
//	if s := m.get(id); s != nil {
//		s.close()
//	}
//	m.sessions.Delete(id)
//
// Two who come with one key both find it.
func (s *search) endedTwice() {
	if s.recovers() || s.shared.Constructing(s.body) || s.shared.Single(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Several(s.body) {
		return
	}
	for _, look := range s.order {
		if look.Mode != atomicity.Read || look.lit || rmw(look.Access) || look.Method == "range" || look.Kind != access.SyncMap && (look.Kind != access.MapElement || !look.held.Any()) || s.reachOf(look) == shared.Private {
			continue
		}
		gone := s.takenOutLater(look)
		if gone == nil {
			continue
		}
		end, fn, channel := s.endOf(look)
		if end == nil || s.reachOf(look) < shared.Meant && look.Kind != access.SyncMap || s.toldOf(look) {
			continue
		}
		c := s.direct("testuse", "double-close", look.source(), look.Pos(), end.Pos())
		c.Via = look.via
		c.Roles = [2]string{"looked up", "ended"}
		c.Message = fmt.Sprintf("two goroutines can both find the object in %s and call %s, which closes %s: it is taken out in another step",
			s.pkg.Name(look.Var), fn.Name(), types.ExprString(channel))
		s.tell(c, look, look.source())
		return
	}
}

// toldOf says whether a section that begins with the look is reported already.
func (s *search) toldOf(look *occurrence) bool {
	return slices.ContainsFunc(s.found, func(c *Candidate) bool { return c.Sure && c.Entry == look.source() })
}

// takenOutLater is the deletion from the map of what look has found, by the same body, which
// neither a lock that is held since nor another look decides about.
func (s *search) takenOutLater(look *occurrence) *occurrence {
	for _, gone := range s.order {
		if gone.Var == look.Var && gone.Mode == atomicity.Write && (gone.source().Method == "delete" || gone.source().Method == "Delete") && !gone.lit &&
			s.leadsTo(look, gone) && !s.leadsTo(gone, look) && !s.oneHold(look, gone) && !s.looksAfresh(gone) {
			return gone
		}
	}
	return nil
}

// endOf is the call of a method, on what look has found, that closes a channel of it whatever
// its state, with no lock held from the look on.
func (s *search) endOf(look *occurrence) (end *ast.CallExpr, fn *types.Func, channel ast.Expr) {
	locals := s.holding(look)
	if len(locals) == 0 {
		return nil, nil, nil
	}
	s.onward(look, func(_, _ int, ev accesses.Event, kept locks.Set) bool {
		call, ok := ev.Node.(*ast.CallExpr)
		if end != nil || !ok || ev.Kind != accesses.OnCall || kept.Any() {
			return end != nil
		}
		if f, on := s.calledOn(call); f != nil && slices.Contains(locals, on) {
			if ch := s.closesAlways(f); ch != nil {
				end, fn, channel = call, f, ch
			}
		}
		return end != nil
	})
	return end, fn, channel
}

// closesAlways is the channel of its receiver that the method closes on each call, or nil.
func (s *search) closesAlways(fn *types.Func) ast.Expr {
	b := s.pkg.ByFunc[fn]
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	if s.recovers() {
		return nil
	}
	for _, c := range s.closeCalls() {
		if s.always(c) {
			return c.channel.Expr
		}
	}
	return nil
}
