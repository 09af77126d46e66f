package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// torn finds variables that belong together and are handled in two critical
// sections of one body: the first variable is tested in one and the second one
// read in the next, while others change both at once; or the first is written in
// one and the second in the next, while others rely on both.
func (s *search) torn() {
	couplings := s.couplings()
	if len(couplings) == 0 {
		return
	}
	for _, e := range s.order {
		if !e.place.Valid() || !e.Var.Obj.IsField() || !s.leading[e.Var] {
			continue
		}
		lockFree := e.Kind == access.Atomic && !e.held.Any()
		if !lockFree && !s.ownLockOf(e, e.held) || s.reachOf(e) == shared.Private {
			continue
		}
		switch e.Mode {
		case atomicity.Read:
			s.tornRead(e)
			s.readApart(e)
		case atomicity.Write:
			if !lockFree {
				s.tornWrite(e)
			}
		}
	}
}

// ownLockOf says whether one of the locks is part of the same object as o.
func (s *search) ownLockOf(o *occurrence, held locks.Set) bool {
	for l, m := range held {
		if m > locks.Possible && l.Root != nil && l.Root == o.place.Root {
			return true
		}
	}
	return false
}

// later visits the accesses to other variables of e's object that are made
// after e in another critical section.
func (s *search) later(e *occurrence, visit func(o *occurrence)) {
	again := token.NoPos // where e's variable was handled again
	handled := map[int]bool{}
	meet := func(block int, o *occurrence, kept locks.Set) {
		if o == nil || o.place.Root != e.place.Root {
			return
		}
		if !o.place.Beside(e.place) {
			return // x.current.err and x.pool: another x.current, perhaps
		}
		if o.Var == e.Var {
			if again == token.NoPos {
				again = o.Pos()
			}
			handled[block] = true
			return
		}
		if again != token.NoPos || handled[block] || !s.ownLockOf(o, o.held) {
			return
		}
		for l := range kept {
			if _, still := o.held[l]; still {
				return // one critical section
			}
		}
		visit(o)
	}
	s.onward(e, func(block, index int, ev accesses.Event, kept locks.Set) bool {
		if s.rebinds(ev.Node, e) && ev.Kind == accesses.OnAssign {
			return true
		}
		switch ev.Kind {
		case accesses.OnCall:
			for _, o := range s.calls[ev.Node.(*ast.CallExpr)] {
				if !o.later {
					meet(block, o, kept)
				}
			}
		case accesses.OnAccess:
			if o := s.occ[ev.Access]; o != nil && o != e {
				meet(block, o, kept)
			}
		}
		return false
	})
}

// tornRead reports reads of b after a test of e in an earlier critical section.
func (s *search) tornRead(e *occurrence) {
	tests := s.testsOf(e.Access, e.Kind != access.Atomic)
	if len(tests) == 0 {
		return
	}
	done := false
	s.later(e, func(o *occurrence) {
		c := s.coupled[couple{e.Var, o.Var}]
		if e.via != nil || o.via != nil {
			return // a getter gives a picture of its own
		}
		if s.leavesLoopBy(e, o) && s.oneHold(e, o) {
			return // for x.n < i { x.cond.Wait() }: the last test is of the same section
		}
		if o.Update != nil || isFlag(o.Var) || synchronizes(o.Var) || s.awaits(e, o) || s.comparedAgain(o) || s.isHint(e, o) || s.lookedAfresh(o) {
			return // it is looked at afresh
		}
		if done || o.Mode != atomicity.Read || c == nil || e.key != o.key && e.key != "" && o.key != "" {
			return
		}
		others := 0
		for b := range c.written {
			if b != s.body && !s.hears(o, b) {
				others++
			}
		}
		if others == 0 || 2*others < len(s.writers[o.Var]) || !s.decided(tests, o.block) || s.handledIn(e, o, atomicity.Read) {
			return
		}
		done = true
		s.tear(e, o, fmt.Sprintf("%s was tested in an earlier critical section than the one where %s is read; others change both in one", e.place, o.place))
	})
}

// leavesLoopBy says whether e is in the condition of a loop that is left by it alone, and o comes after
// the loop.
func (s *search) leavesLoopBy(e, o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.ForStmt)
		if !ok || loop.Cond == nil || e.Pos() < loop.Cond.Pos() || loop.Cond.End() <= e.Pos() {
			return !found
		}
		found = loop.End() <= o.Pos()
		ast.Inspect(loop.Body, func(n ast.Node) bool {
			if branch, ok := n.(*ast.BranchStmt); ok && branch.Tok != token.CONTINUE {
				found = false
			}
			return true
		})
		return false
	})
	return found
}

// synchronizes says whether the variable is there for goroutines to meet at, such as a
// sync.Cond: what it stands for does not change.
func synchronizes(v access.Var) bool {
	tn := accesses.TypeName(v.Obj.Type())
	return tn != nil && tn.Pkg() != nil && tn.Pkg().Path() == "sync"
}

// lookedAfresh says whether the same critical section has tested what o reads before:
// if x.err != nil { return x.err }.
func (s *search) lookedAfresh(o *occurrence) bool {
	return slices.ContainsFunc(s.order, func(p *occurrence) bool {
		return p != o && p.Mode == atomicity.Read && p.via == nil && p.sameInstance(o) && s.oneHold(p, o) && s.decided(s.testsOf(p.Access, true), o.block)
	})
}

// isHint says whether what is read of o is tested in its turn; or whether the test of e,
// an atomic number or flag, only tells whether it is worth while to take the lock, under
// which o is looked through then. One entry of a map is another matter.
func (s *search) isHint(e, o *occurrence) bool {
	if o.Kind == access.MapElement {
		return false
	}
	tn := accesses.TypeName(e.Var.Obj.Type())
	refers := tn != nil && (tn.Name() == "Pointer" || tn.Name() == "Value")
	return e.Kind == access.Atomic && !e.held.Any() && !refers || len(s.testsOf(o.Access, true)) > 0
}

// tornWrite reports writes of b after a write of e in an earlier critical
// section.
func (s *search) tornWrite(e *occurrence) {
	done := false
	s.later(e, func(o *occurrence) {
		c := s.coupled[couple{e.Var, o.Var}]
		indexed := c != nil && slices.ContainsFunc(slices.Collect(maps.Keys(c.indexed)), func(b *accesses.Body) bool { return b != s.body })
		if (e.via != nil && !indexed) || isFlag(e.Var) || o.via != nil && len(o.stores) == 0 && !s.derives(e, o) {
			return // what a callee completes, or a mark that something is under way
		}
		if done || o.Mode != atomicity.Write || c == nil || s.handledIn(e, o, atomicity.ReadWrite) {
			return
		}
		if (o.key != "" || e.key != "") && !(entered(e) && entered(o) && o.via == nil && s.alwaysTogether(e, o, c)) {
			return
		}
		relied, written := 0, 0
		for b := range c.relied {
			if b != s.body {
				relied++
			}
		}
		for b := range c.written {
			if b != s.body {
				written++
			}
		}
		if relied == 0 && !indexed && (written == 0 || e.Update != nil || // a count of what has happened
			!s.derives(e, o) && !s.alwaysTogether(e, o, c)) {
			return
		}
		done = true
		s.tear(e, o, fmt.Sprintf("%s is set in an earlier critical section than %s; others rely on both in one, and can see the first without the second", e.place, o.place))
	})
}

// entered says whether the write puts an entry into a map.
func entered(w *occurrence) bool {
	return w.Kind == access.MapElement && w.Method == "" && w.Update == nil
}

// alwaysTogether says whether two other bodies at least write the variables of e
// and o, and whoever writes one of them writes both in one critical section.
func (s *search) alwaysTogether(e, o *occurrence, c *coupling) bool {
	others := 0
	for _, v := range []access.Var{e.Var, o.Var} {
		for b := range s.writers[v] {
			switch {
			case b.Outermost() == s.body.Outermost():
			case !c.written[b]:
				return false
			default:
				others++
			}
		}
	}
	return others >= 4 // each is counted for both variables
}

// isFlag says whether the variable is a boolean.
func isFlag(v access.Var) bool { return isBoolean(v.Obj.Type()) }

// comparedAgain says whether the read is compared with what was read before.
func (s *search) comparedAgain(o *occurrence) bool {
	for _, test := range s.testsOf(o.Access, false) {
		if b, ok := ast.Unparen(s.body.Conds[test][0]).(*ast.BinaryExpr); ok && s.readsAgain(b.X, b.Y) {
			return true
		}
	}
	return false
}

// awaits says whether the body waits for a channel between the two, with no
// lock held.
func (s *search) awaits(e, o *occurrence) bool {
	return s.meanwhile(e.Pos(), o.Pos(), func(ev accesses.Event, held locks.Set) bool {
		return ev.Kind == accesses.OnReceive && !held.Any()
	})
}

// derives says whether what o stores in a callee is made of the very variable
// that e has written: the second is a function of the first.
func (s *search) derives(e, o *occurrence) bool {
	if o.via == nil {
		return false
	}
	st := s.states[s.pkg.ByFunc[s.locks.Callee(o.via)]]
	if st == nil {
		return false
	}
	for _, v := range stored(o.source()) {
		for a := range st.values.of(v) {
			if a.Var == e.Var {
				return true
			}
		}
	}
	return false
}

// handledIn says whether the critical section of o accesses the variable of e once more, or
// in the next turn of a loop, in one of the modes.
func (s *search) handledIn(e, o *occurrence, modes atomicity.AccessSet) bool {
	for _, set := range s.holdsOf(s.body) {
		for _, p := range set[o.Var] {
			if p == o && slices.ContainsFunc(set[e.Var], func(q *occurrence) bool { return (q != e || s.leadsTo(o, e)) && q.Mode&modes != 0 }) {
				return true
			}
		}
	}
	return false
}

func (s *search) tear(e, o *occurrence, message string) {
	c := s.direct("multivar", "multi-variable", e.source(), e.Pos(), o.Pos())
	c.Via, c.EndVia = e.via, o.via
	c.Ends = []*access.Access{o.source()}
	c.EndName = s.pkg.Name(c.Ends[0].Var)
	_, strong, evidence := s.shared.Rivals(s.body, e.Var)
	c.Evidence = evidence
	f := finding{search: s, entry: e}
	c.Sure = strong && !f.excused(c) && !s.shared.Constructing(s.body)
	c.Message = message
	if c.Sure && e.Mode == atomicity.Read && s.canJoin(e, o) {
		if _, together := s.handlers(e, o, atomicity.Write); together {
			s.join(c, o, atomicity.Read)
		}
	}
	s.found = append(s.found, c)
}
