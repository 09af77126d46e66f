package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// closedEarly finds channels that are closed before what they tell of is stored:
// close(x.done); x.err = err, while another function waits for the channel and goes on to
// the other field, which need not be there yet.
func (s *search) closedEarly() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, c := range s.closeCalls() {
		ch := c.channel
		if !ch.place.Valid() || ch.via != nil || !ch.Var.Obj.IsField() || ch.Var.Contents {
			continue
		}
		for _, w := range s.order {
			if !s.tellsOf(ch, w) || s.waitsBetween(s.body, c.call.Pos(), w.Pos()) {
				continue
			}
			if r, b := s.awaiter(ch, w); r != nil {
				s.closedBeforeStored(ch, w, b)
				return
			}
		}
	}
}

func (s *search) closedBeforeStored(ch, w *occurrence, b *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(b, w.Var, map[*accesses.Body]bool{s.body: true}); !strong {
		return
	}
	c := s.direct("multivar", "multi-variable", w.source(), ch.Pos(), w.Pos())
	c.Roles = [2]string{"announced", "stored"}
	c.EndVia = w.via
	c.Message = fmt.Sprintf("%s is closed before %s is stored: %s waits for it, and can go on to the other when it is not there yet",
		ch.place, w.place, b.Fn.Name)
	s.tell(c, w, w.source())
}

// tellsOf says whether the write gives a value to another field of the object that the
// channel is a field of, after the channel was read to close it, and for the first time.
func (s *search) tellsOf(ch, w *occurrence) bool {
	if w.Mode != atomicity.Write || w.Kind != access.Cell || w.lit || w.later || w.Update != nil || w.Var.Contents || w.Var.Obj == ch.Var.Obj || !w.Var.Obj.IsField() ||
		!w.place.Beside(ch.place) || !s.leadsTo(ch, w) || s.leadsTo(w, ch) {
		return false
	}
	values := w.stores
	if w.via == nil {
		values = stored(w.Access)
	}
	if len(values) == 0 || s.unsets(values[0]) {
		return false
	}
	return !slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o != w && o.Var == w.Var && o.Mode == atomicity.Write && s.leadsTo(o, ch)
	})
}

// awaiter is a read of what w stores, by another function, after it has waited for the
// channel, with no lock that the writer holds over both.
func (s *search) awaiter(ch, w *occurrence) (*occurrence, *accesses.Body) {
	current := s.bodyState
	one := s.oneHold(ch, w)
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || !s.accessors(w.Var.Obj)[b] {
			continue
		}
		s.bodyState = s.states[b]
		for block, events := range b.Events {
			for index, ev := range events {
				recv, ok := ev.Node.(*ast.UnaryExpr)
				if !ok || ev.Kind != accesses.OnReceive || recv.Op != token.ARROW || s.variable(recv.X) != ch.Var.Obj {
					continue
				}
				at := s.receivedAt(recv, block, index)
				on := s.pkg.PlaceOf(recv.X)
				for _, r := range s.order {
					if r.Var != w.Var || r.Mode != atomicity.Read || r.via != nil || !r.place.Beside(on) ||
						!s.leadsTo(at, r) || s.leadsTo(r, at) || one && lockedBoth(ch, w, r, r) {
						continue
					}
					if s.reachOf(r) != shared.Private {
						return r, b
					}
				}
			}
		}
	}
	return nil, nil
}

// receivedAt is the place to which control comes once the receive has given something: where
// that decides upon an arm of a select, the beginning of the arm.
func (s *search) receivedAt(recv *ast.UnaryExpr, block, index int) *occurrence {
	for _, arm := range s.body.CFG.Blocks {
		clause, ok := arm.Stmt.(*ast.CommClause)
		if ok && arm.Kind == cfg.KindSelectCaseBody && clause.Comm != nil && clause.Comm.Pos() <= recv.Pos() && recv.End() <= clause.Comm.End() {
			return &occurrence{Access: &access.Access{}, block: int(arm.Index), index: -1}
		}
	}
	return &occurrence{Access: &access.Access{}, block: block, index: index}
}
