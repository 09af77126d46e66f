package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// toldEarly finds signals of a sync.Cond that are given before what the waiters test is
// stored, in another critical section: who is woken finds it as it was, and waits again.
func (s *search) toldEarly() {
	if len(s.condUses()) == 0 || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		cond := s.woken(ev)
		if !cond.Valid() {
			return
		}
		signal := &occurrence{Access: &access.Access{}, block: block, index: index, held: held, outer: held}
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.later || w.place.Root != cond.Root || !s.leadsTo(signal, w) || s.leadsTo(w, signal) || s.oneHold(signal, w) ||
				s.reachOf(w) == shared.Private || s.signalsAfter(w) {
				continue
			}
			for _, wait := range s.conds[locks.ClassOf(cond)].waitsFor(w.Var) {
				if s.endsWait(w, wait) && !s.storedBefore(signal, wait) {
					s.wokenEarly(w, wait, ev)
					return
				}
			}
		}
	})
}

// woken is the sync.Cond whose signal the event gives, itself or by a method that does
// nothing else.
func (s *search) woken(ev accesses.Event) accesses.Place {
	if cond, method := s.condCall(ev); cond.Valid() && method != "Wait" {
		return cond
	}
	call, ok := ev.Node.(*ast.CallExpr)
	if !ok || ev.Kind != accesses.OnCall {
		return accesses.Place{}
	}
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	if b == nil || slices.ContainsFunc(s.stateOf(b).order, func(o *occurrence) bool { return o.Mode == atomicity.Write }) {
		return accesses.Place{}
	}
	for _, stmt := range b.Block.List {
		x, ok := stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		if cond, method := s.condCall(accesses.Event{Kind: accesses.OnCall, Node: x.X}); cond.Valid() && method != "Wait" {
			return s.locks.ToCaller(call, fn, cond)
		}
	}
	return accesses.Place{}
}

func (s *search) wokenEarly(w *occurrence, wait condWait, signal accesses.Event) {
	if slices.ContainsFunc(s.found, func(c *Candidate) bool {
		return c.Sure && c.Category == "lost-wakeup" && (c.Pos == w.Pos() || c.EndPos == w.Pos())
	}) {
		return
	}
	c := s.direct("testuse", "lost-wakeup", w.source(), signal.Pos(), w.Pos())
	c.EndVia = w.via
	c.Roles = [2]string{"announced", "stored"}
	c.Message = fmt.Sprintf("%s is given in an earlier critical section than the one that stores %s: who is woken by it in %s can find it as it was, and waits again",
		signalOf(signal), w.place, wait.body.Fn.Name)
	s.tell(c, w, w.source())
}

// signalsAfter says whether the body gives a signal after w, or when it returns.
func (s *search) signalsAfter(w *occurrence) bool {
	signals := func(call *ast.CallExpr) bool {
		cond, method := s.condCall(accesses.Event{Kind: accesses.OnCall, Node: call})
		return cond.Valid() && method != "Wait"
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		var call *ast.CallExpr
		switch n := n.(type) {
		case *ast.DeferStmt:
			ast.Inspect(n, func(m ast.Node) bool {
				if c, ok := m.(*ast.CallExpr); ok {
					found = found || signals(c) || s.callsSignal(c)
				}
				return !found
			})
		case *ast.CallExpr:
			if call = n; s.pkg.Order(call.End()) >= s.pkg.Order(w.Pos()) {
				found = found || signals(call) || s.callsSignal(call)
			}
		}
		return !found
	})
	return found
}

// callsSignal says whether the called function of this package gives a signal.
func (s *search) callsSignal(call *ast.CallExpr) bool {
	b := s.pkg.ByFunc[s.locks.Callee(call)]
	if b == nil {
		return false
	}
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			cond, method := s.condCall(accesses.Event{Kind: accesses.OnCall, Node: c})
			found = found || cond.Valid() && method != "Wait"
		}
		return !found
	})
	return found
}

// storedBefore says whether the body has changed something for which the waiters wait when
// it gives the signal.
func (s *search) storedBefore(signal *occurrence, wait condWait) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Write && wait.tests[o.Var] != nil && s.leadsTo(o, signal)
	})
}

// endsWait says whether the waiter's test comes out otherwise once w is stored, as far as
// that is known: it tests a flag, or whether something is there.
func (s *search) endsWait(w *occurrence, wait condWait) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	values := stored(w.source())
	if len(values) == 1 && len(w.stores) == 1 {
		if _, isLocal := ast.Unparen(values[0]).(*ast.Ident); isLocal {
			values = w.stores // by a setter
		}
	}
	grows := s.isGrowth(&occurrence{Access: w.source()})
	s.bodyState = s.states[wait.body]
	test := wait.tests[w.Var]
	for _, block := range s.testsOf(test.Access, true) {
		ok, edge := s.decides(block, wait.block)
		if !ok || len(s.body.Conds[block]) != 1 {
			continue
		}
		cond, not := asked(s.body.Conds[block][0])
		waitsIf := (edge == 0) != not // what cond has to be
		if grows {
			b, isBinary := cond.(*ast.BinaryExpr)
			return isBinary && waitsIf && s.pkg.Info.Types[b.Y].Value != nil && constant.Sign(constant.ToInt(s.pkg.Info.Types[b.Y].Value)) == 0 && b.Op == token.EQL
		}
		if len(values) != 1 {
			return false
		}
		now := s.pkg.Info.Types[values[0]]
		f := finding{search: s, entry: test}
		if now.Value != nil {
			holds, known := f.comparison(block, now.Value)
			return known && holds != (edge == 0)
		}
		b, isBinary := cond.(*ast.BinaryExpr)
		return isBinary && s.pkg.Info.Types[b.Y].IsNil() && !now.IsNil() && (b.Op == token.EQL) == waitsIf
	}
	return false
}
