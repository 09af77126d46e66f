package section

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// cancels are the names of functions in fields by which something ends.
var cancels = pattern.New(`(?i)(cancel|stop|close|quit|shutdown|unsub\w*)(fn|func|f)?$`)

// replacedApart finds objects that are ended in one critical section and replaced in a later
// one by a new one, whatever is there by then: of two that do so at once both end the same
// one, and the new one of the first is lost without an end.
//
//	c.mu.Lock(); if c.cancel != nil { c.cancel() }; c.mu.Unlock()
//	ctx, cancel := context.WithCancel(ctx)
//	c.mu.Lock(); c.cancel = cancel; c.mu.Unlock()
//
// A method by which the object itself ends may end the old one, and take it out: c.Stop().
func (s *search) replacedApart() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || s.shared.SetsGoing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	ended := s.endedValues()
	for _, old := range s.order {
		if (old.Mode != atomicity.Read && old.via == nil) || old.Kind != access.Cell || !old.Var.Obj.IsField() || !old.held.Any() || !old.place.Valid() || old.via == nil && !ended[old.Expr] || old.via != nil && !s.endsBelow(old) || s.reachOf(old) < shared.Meant {
			continue
		}
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.Var != old.Var || w.place != old.place || w.lit || w.later || w.depth > 1 || s.oneHold(old, w) || !s.leadsTo(old, w) || s.leadsTo(w, old) ||
				s.asksInHold(w) || old.via == nil && s.clearedWith(old) {
				continue
			}
			if values := w.stored(); len(values) != 1 || s.unsets(values[0]) {
				continue
			}
			class := ""
			for _, l := range locksOf(old.held) {
				if w.held[w.lockOf(locks.ClassOf(l))] == locks.Exclusive {
					class = l.String()
				}
			}
			if class == "" {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, old.Var, map[*accesses.Body]bool{s.body: true}); !strong {
				continue
			}
			c := s.direct("testuse", "unlock-relock", old.source(), old.Pos(), w.Pos())
			c.Via, c.EndVia = old.via, w.via
			if old.via != nil {
				c.Pos, c.Within = old.via.Pos(), old.where()
			}
			c.Protected = class
			c.Roles = [2]string{"ended", "replaced"}
			c.Message = fmt.Sprintf("two goroutines can both end what is in %s and store their own, of which one is lost and never ended: %s is released in between", old.place, class)
			s.tell(c, old, w.source())
			return
		}
	}
}

// endedValues are the fields that the function calls, or calls a method of, by which things
// end.
func (s *search) endedValues() map[ast.Expr]bool {
	ended := map[ast.Expr]bool{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if v := s.variable(sel); v != nil && v.IsField() {
			if len(call.Args) == 0 && cancels.MatchString(v.Name()) {
				ended[sel] = true
			}
		} else if endings.MatchString(sel.Sel.Name) {
			ended[ast.Unparen(sel.X)] = true
		}
		return true
	})
	return ended
}

// asksInHold says whether the critical section of the write looks at the variable before.
func (s *search) asksInHold(w *occurrence) bool {
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.Var == w.Var && s.oneHold(r, w) {
			return true
		}
	}
	return false
}

// clearedWith says whether the critical section in which the old one is ended writes the
// variable as well.
func (s *search) clearedWith(old *occurrence) bool {
	for _, w := range s.order {
		if w.Mode == atomicity.Write && w.Var == old.Var && s.oneHold(old, w) {
			return true
		}
	}
	return false
}

// endsBelow says whether old lies in a method of the same object by which it ends (c.Stop), which
// ends what the variable holds and stores nil there, which is what the call does here.
func (s *search) endsBelow(old *occurrence) bool {
	fn := s.locks.Callee(old.via)
	b := s.pkg.ByFunc[fn]
	if b == nil || old.depth > 1 || fn.Signature().Recv() == nil || !endings.MatchString(fn.Name()) {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	cleared := slices.ContainsFunc(s.order, func(w *occurrence) bool {
		values := stored(w.Access)
		return w.via == nil && w.Mode == atomicity.Write && w.Var == old.Var && w.held.Any() && len(values) == 1 && s.pkg.Info.Types[values[0]].IsNil()
	})
	return cleared && slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.via == nil && r.Mode == atomicity.Read && r.Var == old.Var && s.endsValue(r)
	})
}

// endsValue says whether the body calls what r reads, a function by which something ends, or a
// method of it by which it ends.
func (s *search) endsValue(r *occurrence) bool {
	for e := range s.endedValues() {
		if _, same := s.values.of(e)[r.Access]; same || e == r.Expr {
			return true
		}
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || len(call.Args) > 0 || identOf(call.Fun) == nil {
				continue
			}
			if _, same := s.values.of(call.Fun)[r.Access]; same {
				return true
			}
		}
	}
	return false
}
