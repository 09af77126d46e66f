package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// waitsApart finds waits for a sync.Cond that a test in an earlier critical section has led
// to, where none in that of the wait does: if !x.isReady() { x.mu.Lock(); x.cond.Wait() }.
// The change and its signal can fall between the two, and who waits then waits for ever.
func (s *search) waitsApart() {
	if len(s.condUses()) == 0 || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, use := range s.conds {
		for _, w := range use.waits {
			if w.body == s.body {
				s.waitApart(use, w)
			}
		}
	}
}

func (s *search) waitApart(use *condUse, w condWait) {
	wait := &occurrence{Access: &access.Access{}, block: w.block, index: w.index, held: w.held, outer: w.held}
	cond := s.pkg.PlaceOf(ast.Unparen(w.call.Fun).(*ast.SelectorExpr).X)
	var test *occurrence
	for _, e := range s.order {
		if e.Mode != atomicity.Read || e.place.Root == nil || !s.decided(s.testsOf(e.Access, false), w.block) {
			continue
		}
		if e.via == nil && !e.held.Any() && e.Kind != access.Atomic || s.oneHold(e, wait) {
			return // the lock may be held by who knows, or it is tested under it
		}
		if e.place.Root == cond.Root && use.told[e.Var] && s.decided(s.testsOf(e.Access, true), w.block) && s.leadsTo(e, wait) && s.reachOf(e) != shared.Private {
			test = e
		}
	}
	if test == nil || slices.ContainsFunc(s.found, func(c *Candidate) bool { return c.Sure && c.Category == "lost-wakeup" && c.EndPos == w.call.Pos() }) {
		return
	}
	if ok, _, _ := s.rivals(test.Var); !ok {
		return
	}
	c := s.direct("testuse", "lost-wakeup", test.source(), test.Pos(), w.call.Pos())
	c.Via = test.via
	c.Roles = [2]string{"tested", "waited for"}
	c.Message = fmt.Sprintf("%s can change, and the signal be given to nobody, between the test of it and %s, which is in another critical section and has no test of its own",
		test.place, types.ExprString(w.call.Fun))
	s.tell(c, test, test.source())
}
