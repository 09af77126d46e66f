package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A channel that is closed after each write of a field beside it, x.err = err; close(x.done), orders
// the writes before whatever is done after a receive from it: case <-x.done: return x.err. As a
// channel is closed but once, nobody writes the field any more then. What such a read finds is
// final: no section begins there, and none that began before is broken by what the receive has
// told of.

// final says whether the read o is one of those, in the body.
func (s *search) final(st *bodyState, o *occurrence) bool {
	if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || o.like || o.inner || !o.place.Valid() || !o.Var.Obj.IsField() || o.Var.Contents {
		return false
	}
	channels := s.announcers(o.Var)
	if len(channels) == 0 || len(st.values.assigns[o.place.Root]) > 1 {
		return false
	}
	return s.receivedBefore(st.body, o.place, o.block, o.index, channels)
}

// receivedBefore says whether control comes to the event of the body, which is about what is at
// the place, only by way of a receive from one of the channels of the same object.
func (s *search) receivedBefore(b *accesses.Body, place accesses.Place, to, index int, channels []*types.Var) bool {
	for block, events := range b.Events {
		for i, ev := range events {
			recv, ok := ev.Node.(*ast.UnaryExpr)
			if !ok || ev.Kind != accesses.OnReceive || recv.Op != token.ARROW {
				continue
			}
			ch := s.pkg.PlaceOf(recv.X)
			if !ch.Valid() || !ch.Beside(place) || !slices.Contains(channels, ch.Field()) {
				continue
			}
			in, at := block, i
			if chosen := caseOf(b, recv); chosen >= 0 {
				in, at = chosen, -1
			}
			if always(b, in, at, to, index) {
				return true
			}
		}
	}
	return false
}

// caseOf is the block to which a select goes when it has chosen the receive, -1 if that stands in
// none. The graph has all operands of a select ahead of it.
func caseOf(b *accesses.Body, recv *ast.UnaryExpr) int {
	for _, block := range b.CFG.Blocks {
		if clause, ok := block.Stmt.(*ast.CommClause); ok && block.Kind == cfg.KindSelectCaseBody && clause.Comm != nil && clause.Comm.Pos() <= recv.Pos() && recv.End() <= clause.Comm.End() {
			return int(block.Index)
		}
	}
	return -1
}

// always says whether control comes to the one event only by way of the other.
func always(b *accesses.Body, block, index, to, at int) bool {
	if block == to {
		return index < at
	}
	return !blocksFrom(b.CFG, b.CFG.Blocks[0], block)[to]
}

// announcers are the channels beside the field v that are closed after every write of it,
// constructors and new objects aside.
func (s *search) announcers(v access.Var) []*types.Var {
	if s.announcing == nil {
		s.announcing = s.findAnnouncers()
	}
	return s.announcing[v]
}

func (s *search) findAnnouncers() map[access.Var][]*types.Var {
	after := map[access.Var][]*types.Var{}
	lost := map[access.Var]bool{} // written without a close
	unfit := map[*types.Var]bool{}
	closes := false
	for _, b := range s.pkg.Bodies {
		for _, events := range b.Events {
			closes = closes || slices.ContainsFunc(events, func(ev accesses.Event) bool { return s.signal(ev) != nil })
		}
	}
	if !closes {
		return after
	}
	for _, b := range s.pkg.Bodies {
		for block, events := range b.Events {
			for index, ev := range events {
				if send, ok := ev.Node.(*ast.SendStmt); ok && ev.Kind == accesses.OnSend {
					if ch := s.pkg.PlaceOf(send.Chan); ch.Valid() && ch.Field() != nil {
						unfit[ch.Field()] = true
					}
				}
				a := ev.Access
				if ev.Kind != accesses.OnAccess || a.Cell == nil || a.Mode != atomicity.Write || a.Var.Obj == nil || !a.Var.Obj.IsField() || lost[a.Var] ||
					s.shared.Constructing(b) || s.shared.Reach(b, a) == shared.Private {
					continue
				}
				unfit[a.Var.Obj] = true // a channel that is made anew can be closed again
				list := s.closedBehind(b, block, index, a)
				if old, known := after[a.Var]; known {
					list = slices.DeleteFunc(list, func(ch *types.Var) bool { return !slices.Contains(old, ch) })
				}
				after[a.Var], lost[a.Var] = list, len(list) == 0
			}
		}
	}
	for v, list := range after {
		after[v] = slices.DeleteFunc(list, func(ch *types.Var) bool { return unfit[ch] })
	}
	return after
}

// closedBehind are the channels of the object that is written which the body closes afterwards,
// wherever control goes, or has deferred to close.
func (s *search) closedBehind(b *accesses.Body, block, index int, w *access.Access) (list []*types.Var) {
	place := s.pkg.PlaceOf(w.Cell)
	if w.Kind != access.Cell || w.Update != nil || !place.Valid() {
		return nil
	}
	return s.closesBehind(b, block, index, place)
}

// closesBehind are the channels beside the place that the body closes behind the event, wherever
// control goes, or has deferred to close.
func (s *search) closesBehind(b *accesses.Body, block, index int, place accesses.Place) (list []*types.Var) {
	for at, events := range b.Events {
		for i, ev := range events {
			x := s.signal(ev)
			if x == nil {
				continue
			}
			ch := s.pkg.PlaceOf(x)
			if !ch.Valid() || !ch.Beside(place) || ch.Field() == nil || slices.Contains(list, ch.Field()) {
				continue
			}
			if ev.Kind == accesses.OnDefer && always(b, at, i, block, index) || ev.Kind == accesses.OnCall && neverWithout(b, at, i, block, index) {
				list = append(list, ch.Field())
			}
		}
	}
	return list
}

// neverWithout says whether control goes from the event at the index of the block to the end of the
// body only by way of the other one, and comes to that one but once.
func neverWithout(b *accesses.Body, block, index, from, at int) bool {
	if block == from && index > at {
		return true
	}
	after := b.CFG.Blocks[from].Succs
	return block != from && len(after) > 0 && !slices.ContainsFunc(after, func(succ *cfg.Block) bool {
		reached := blocksFrom(b.CFG, succ, block)
		return slices.ContainsFunc(b.CFG.Blocks, func(to *cfg.Block) bool {
			return reached[to.Index] && (int(to.Index) == from || len(to.Succs) == 0)
		})
	})
}

// signal is the channel of empty structs that the event closes, or defers to close.
func (s *search) signal(ev accesses.Event) ast.Expr {
	var n ast.Node = ev.Node
	if d, ok := n.(*ast.DeferStmt); ok && ev.Kind == accesses.OnDefer {
		n = d.Call
	} else if ev.Kind != accesses.OnCall {
		return nil
	}
	x := s.closeOf(n)
	if x == nil {
		return nil
	}
	t := s.pkg.Info.TypeOf(x)
	if t == nil {
		return nil
	}
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return nil
	}
	if empty, ok := ch.Elem().Underlying().(*types.Struct); !ok || empty.NumFields() > 0 {
		return nil
	}
	return x
}
