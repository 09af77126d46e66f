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

// condUse is what the package does with a sync.Cond that a field or
// package-level variable holds.
type condUse struct {
	waits []condWait
	// told are the variables written in the functions that wake the waiters.
	told map[access.Var]bool
}

// condWait is one call of Wait.
type condWait struct {
	body         *accesses.Body
	cond         accesses.Place
	call         *ast.CallExpr
	block, index int
	held         locks.Set
	// tests are the reads that decide whether to wait, by variable.
	tests map[access.Var]*occurrence
}

// condCall is the variable that holds the sync.Cond which the event calls the
// method of.
func (s *search) condCall(ev accesses.Event) (cond accesses.Place, method string) {
	call, ok := ev.Node.(*ast.CallExpr)
	if !ok || ev.Kind != accesses.OnCall {
		return accesses.Place{}, ""
	}
	fn := s.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || fn.Signature().Recv() == nil {
		return accesses.Place{}, ""
	}
	if tn, ok := types.Unalias(deref(fn.Signature().Recv().Type())).(*types.Named); !ok || tn.Obj().Name() != "Cond" {
		return accesses.Place{}, ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return accesses.Place{}, ""
	}
	return s.pkg.PlaceOf(sel.X), fn.Name()
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// condUses sums up the condition variables of the package by class.
func (s *search) condUses() map[string]*condUse {
	if s.conds != nil {
		return s.conds
	}
	s.conds = map[string]*condUse{}
	use := func(cond accesses.Place) *condUse {
		class := locks.ClassOf(cond)
		if s.conds[class] == nil {
			s.conds[class] = &condUse{told: map[access.Var]bool{}}
		}
		return s.conds[class]
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	wakes := map[*accesses.Body][]accesses.Place{}
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		s.locks.Walk(b, func(block, index int, ev accesses.Event, held locks.Set) {
			if d, ok := ev.Node.(*ast.DeferStmt); ok && ev.Kind == accesses.OnDefer {
				ev = accesses.Event{Kind: accesses.OnCall, Node: d.Call}
			}
			cond, method := s.condCall(ev)
			switch {
			case !cond.Valid():
			case method == "Wait":
				w := condWait{b, cond, ev.Node.(*ast.CallExpr), block, index, named(held), map[access.Var]*occurrence{}}
				for _, e := range s.order {
					if e.Mode == atomicity.Read && e.place.Root == cond.Root && s.decided(s.testsOf(e.Access, true), block) && w.tests[e.Var] == nil {
						w.tests[e.Var] = e
					}
				}
				use(cond).waits = append(use(cond).waits, w)
			default:
				wakes[b] = append(wakes[b], cond)
			}
		})
	}
	for _, b := range s.pkg.Bodies {
		conds := wakes[b]
		for _, events := range b.Events {
			for _, ev := range events {
				if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
					conds = append(conds, wakes[s.pkg.ByFunc[s.locks.Callee(call)]]...)
				}
			}
		}
		for _, cond := range conds {
			for _, w := range s.states[b].order {
				if w.Mode == atomicity.Write && w.place.Valid() && types.Identical(w.place.Root.Type(), cond.Root.Type()) {
					use(cond).told[w.Var] = true
				}
			}
		}
	}
	return s.conds
}

// named leaves out what an unknown caller may hold, unless nothing else is held:
// Wait gives up a lock that the function itself knows.
func named(held locks.Set) locks.Set {
	set := locks.Set{}
	for l, m := range held {
		if l.Root != nil && m > locks.Possible {
			set[l] = m
		}
	}
	if len(set) == 0 {
		return held
	}
	return set
}

// waiting finds the ways to miss the signal of a sync.Cond: what the waiters
// test is changed with none of their locks held, or was tested with the lock
// given up before the wait. In both cases the change and its signal can fall
// between the test and the wait.
func (s *search) waiting() {
	if len(s.condUses()) == 0 {
		return
	}
	for _, w := range s.order {
		if w.Mode == atomicity.Write && w.place.Valid() && s.reachOf(w) != shared.Private {
			s.changedUnlocked(w)
		}
	}
	s.closedUnlocked()
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			callee := s.pkg.ByFunc[s.locks.Callee(call)]
			for _, use := range s.conds {
				for _, w := range use.waits {
					if w.body == callee && callee != nil {
						s.testedElsewhere(call, block, index, use, w)
					}
				}
			}
		}
	}
}

// changedUnlocked reports the write if a signal follows on it, and neither it
// nor the signal are made with a lock that the waiters hold.
func (s *search) changedUnlocked(w *occurrence) {
	s.onward(w, func(_, _ int, ev accesses.Event, _ locks.Set) bool {
		cond, method := s.condCall(ev)
		if cond.Valid() && (method == "Signal" || method == "Broadcast") && cond.Root == w.place.Root {
			for _, wait := range s.conds[locks.ClassOf(cond)].waitsFor(w.Var) {
				if !excludes(w.held, wait.held) {
					s.missed(w, wait, ev)
					return true
				}
			}
		}
		for _, op := range s.locks.Ops(ev) {
			if op.Kind == locks.Acquire {
				return true // waiters test before it, or see the change
			}
		}
		return false
	})
}

func (u *condUse) waitsFor(v access.Var) []condWait {
	var list []condWait
	if u != nil {
		for _, w := range u.waits {
			if w.tests[v] != nil {
				list = append(list, w)
			}
		}
	}
	return list
}

// excludes says whether the locks may exclude one another: some lock is the
// same, or one of them cannot be named for sure.
func excludes(a, b locks.Set) bool {
	if len(b) == 0 {
		return true // the waiter's lock is unknown
	}
	for l, mode := range a {
		if mode == locks.Possible {
			continue
		}
		for m := range b {
			if l == locks.Caller || m == locks.Caller || locks.ClassOf(l) == locks.ClassOf(m) || isLocker(l) || isLocker(m) {
				return true
			}
		}
	}
	return false
}

// isLocker says whether the lock is the L of a sync.Cond, which also has a name
// of its own.
func isLocker(l accesses.Place) bool {
	return len(l.Path) > 2 && l.Path[len(l.Path)-2:] == ".L"
}

func (s *search) missed(w *occurrence, wait condWait, signal accesses.Event) {
	test := wait.tests[w.Var]
	c := s.direct("testuse", "lost-wakeup", test.source(), w.Pos(), test.Pos())
	c.Via, c.EndVia = w.via, test.via
	c.Ends = []*access.Access{w.source()}
	c.Roles = [2]string{"changed", "tested, before the wait,"}
	c.Sure = !s.shared.Sequential(s.body)
	c.Message = fmt.Sprintf("%s is changed here without %s, which a waiter holds from its test of it to its wait: the %s can be given, to nobody, in between",
		w.place, anyOf(wait.held), signalOf(signal))
	s.found = append(s.found, c)
}

func signalOf(ev accesses.Event) string {
	return types.ExprString(ev.Node.(*ast.CallExpr).Fun)
}

// testedElsewhere reports the call of a function that waits, if a variable that
// goes with the signal was tested before the call in a critical section of its
// own, and is not tested again by the function.
func (s *search) testedElsewhere(call *ast.CallExpr, block, index int, use *condUse, w condWait) {
	for l := range s.heldAt(block, index) {
		for m := range w.held {
			if locks.ClassOf(l) == locks.ClassOf(m) || l == locks.Caller {
				return
			}
		}
	}
	for _, e := range s.order {
		if e.Mode != atomicity.Read || !use.told[e.Var] || w.tests[e.Var] != nil || !e.held.Any() || e.via == call {
			continue
		}
		if !s.decided(s.testsOf(e.Access, true), block) || !excludes(e.held, w.held) {
			continue
		}
		c := s.direct("testuse", "lost-wakeup", e.source(), e.Pos(), call.Pos())
		c.Via = e.via
		c.Ends = []*access.Access{e.source()}
		c.Roles = [2]string{"tested", "waited for"}
		c.Sure = !s.shared.Sequential(s.body)
		c.Message = fmt.Sprintf("%s can change, and the signal be given to nobody, between the test of it and the wait in %s, which does not test it again",
			e.place, types.ExprString(call.Fun))
		s.found = append(s.found, c)
		return
	}
}
