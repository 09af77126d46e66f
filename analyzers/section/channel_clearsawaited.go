package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// clearsAwaited says whether an exported method by which anybody ends an object closes the
// channel in the field that it has found set, and clears the field, with no lock held, while a
// goroutine that the package starts reads that field to wait: the object is surely shared.
func (f *finding) clearsAwaited(end *hit) bool {
	if !f.endingMethod() || f.entry.via != nil || end.via != nil || len(f.entry.held)+len(end.held) > 0 || !f.holdsChannel() || !end.sameInstance(f.entry) {
		return false
	}
	values := stored(end.Access)
	if len(values) != 1 || !f.pkg.Info.Types[values[0]].IsNil() {
		return false
	}
	return f.awaitedByGoroutine(f.entry.Var)
}

// awaitedByGoroutine says whether a goroutine that the package starts reads the variable, with
// no lock held, in another function than the body.
func (s *search) awaitedByGoroutine(v access.Var) bool {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || !s.shared.Spawned(b) || s.shared.Constructing(b) {
			continue
		}
		for _, r := range s.states[b].order {
			if r.Var == v && r.Mode == atomicity.Read && r.via == nil && len(r.held) == 0 && s.shared.Reach(b, r.Access) != shared.Private {
				return true
			}
		}
	}
	return false
}

// flaggedLater is the look at a plain flag of the object that decides about closing its
// channel, in a method by which anybody ends it, where the flag is set afterwards, whatever it
// was, and a goroutine of the package waits for the channel:
//
//	if !c.stopped { close(c.done) }
//	c.stopped = true
func (s *search) flaggedLater(c closeCall) ast.Expr {
	if c.held.Any() || !s.endingMethod() || s.recovers() || c.channel.place.Root != types.Object(s.body.Func.Signature().Recv()) {
		return nil
	}
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || len(o.held) > 0 || o.place.Root != c.channel.place.Root || !isFlag(o.Var) {
			continue
		}
		for _, test := range s.testsOf(o.Access, true) {
			if decides, _ := s.decides(test, c.block); !decides || len(s.body.Conds[test]) != 1 {
				continue
			}
			for _, w := range s.order {
				always := w.Mode == atomicity.Write && w.via == nil && len(w.held) == 0 && w.sameInstance(o) && s.leadsTo(o, w)
				if decides, _ := s.decides(test, w.block); always && !decides && s.awaitedByGoroutine(c.channel.Var) {
					return s.body.Conds[test][0]
				}
			}
		}
	}
	return nil
}

// holdsChannel says whether the variable of the entry is a channel.
func (f *finding) holdsChannel() bool {
	_, ok := f.entry.Var.Obj.Type().Underlying().(*types.Chan)
	return ok
}
