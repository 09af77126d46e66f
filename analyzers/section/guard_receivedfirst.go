package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// What a goroutine does before it closes a channel of the object is done before all that others do
// who have received from that channel first, as it is closed but once:
//
//	go func() {
//		x.rows = load()
//		close(x.ready)
//	}()
//	…
//	<-x.ready // elsewhere
//	x.rows = rows

// receivedFirst says whether control comes to k only by way of such a receive, where o lies in the
// body before the close.
func (s *search) receivedFirst(o *occurrence, b *accesses.Body, k placed) bool {
	if !o.place.Valid() || !k.place.Valid() {
		return false
	}
	channels := slices.DeleteFunc(s.closesBehind(b, o.block, o.index, o.place), func(ch *types.Var) bool { return !s.closedOnlyIn(ch, b) })
	return len(channels) > 0 && s.receivedBefore(k.body, k.place, k.block, k.index, channels)
}

// closedOnlyIn says whether nothing is done with the channel but that the body closes it and others
// receive from it, once it is made.
func (s *search) closedOnlyIn(ch *types.Var, in *accesses.Body) bool {
	for _, b := range s.pkg.Bodies {
		for _, events := range b.Events {
			for _, ev := range events {
				if send, ok := ev.Node.(*ast.SendStmt); ok && ev.Kind == accesses.OnSend && s.pkg.PlaceOf(send.Chan).Field() == ch {
					return false
				}
				if x := s.signal(ev); x != nil && b != in && s.pkg.PlaceOf(x).Field() == ch {
					return false
				}
				if a := ev.Access; a != nil && ev.Kind == accesses.OnAccess && a.Mode == atomicity.Write && a.Var.Obj == ch && !s.shared.Constructing(b) && s.shared.Reach(b, a) != shared.Private {
					return false
				}
			}
		}
	}
	return true
}

// announcedFirst says whether all others that access what o does in the body have received first.
func (s *search) announcedFirst(o *occurrence) bool {
	b, others := s.body, false
	for _, k := range s.ownAccesses(o.Var) {
		if k.body.Outermost() == b.Outermost() || s.shared.Constructing(k.body) {
			continue
		}
		private := false
		s.inState(k.body, func() { private = s.reachOf(k.occurrence) == shared.Private })
		if private {
			continue
		}
		if others = true; !s.receivedFirst(o, b, k) {
			return false
		}
	}
	return others
}
