package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// early finds signals that are given by a send which waits for nobody, or is kept in the
// one place of the channel, before what they tell of is stored under a lock: who is woken
// can look, find nothing, and go to sleep before it is there.
func (s *search) early() {
	if s.body.Func == nil || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	type signal struct {
		ch           accesses.Place
		of           access.Var
		block, index int
		pos          ast.Node
	}
	var signals []signal
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall && ev.Kind != accesses.OnDefer || held.Any() {
			return
		}
		if ch, v := s.notifies(call); ch.Valid() {
			signals = append(signals, signal{ch, v, block, index, call})
		}
	})
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok {
			return true
		}
		if send := sendOrNot(sel); send != nil {
			if o := s.occurrenceOf(send.Chan); o != nil && o.place.Valid() && !o.held.Any() {
				signals = append(signals, signal{o.place, o.Var, o.block, o.index, send})
			}
		}
		return true
	})
	for _, sig := range signals {
		use := s.channels()[sig.of]
		if use == nil || !use.buffered {
			continue
		}
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.place.Root != sig.ch.Root || !w.held.Any() || !s.isGrowth(w) || s.reachOf(w) == shared.Private {
				continue
			}
			before := &occurrence{Access: w.Access, block: sig.block, index: sig.index}
			if s.shared.Sequential(s.body) || !s.leadsTo(before, w) || s.signalled(sig.of, w) || !s.drainedBy(w.Var, sig.of) {
				continue
			}
			c := s.direct("testuse", "lost-wakeup", w.source(), sig.pos.Pos(), w.Pos())
			c.Via = w.via
			c.Roles = [2]string{"signalled", "stored"}
			c.Message = fmt.Sprintf("the signal on %s is given before %s is stored under %s: who is woken by it can look too early, and nothing wakes it again",
				sig.ch, types.ExprString(w.Cell), anyOf(w.held))
			s.tell(c, w, w.source())
			return
		}
	}
}

// notifies is the channel on which the called method of this package sends without
// waiting, as the caller names it.
func (s *search) notifies(call *ast.CallExpr) (accesses.Place, access.Var) {
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	if b == nil || len(b.Block.List) != 1 {
		return accesses.Place{}, access.Var{}
	}
	sel, ok := b.Block.List[0].(*ast.SelectStmt)
	if !ok {
		return accesses.Place{}, access.Var{}
	}
	send := sendOrNot(sel)
	if send == nil {
		return accesses.Place{}, access.Var{}
	}
	v := s.variable(send.Chan)
	if v == nil {
		return accesses.Place{}, access.Var{}
	}
	return s.locks.ToCaller(call, fn, s.pkg.PlaceOf(send.Chan)), access.Var{Obj: v}
}

// signalled says whether the body signals on the channel again after w, or defers that.
func (s *search) signalled(ch access.Var, w *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			ast.Inspect(n, func(m ast.Node) bool {
				if call, ok := m.(*ast.CallExpr); ok {
					_, v := s.notifies(call)
					found = found || v == ch
				}
				if send, ok := m.(*ast.SendStmt); ok {
					found = found || s.variable(send.Chan) == ch.Obj
				}
				return true
			})
		case *ast.CallExpr:
			if s.before(w, n) {
				_, v := s.notifies(n)
				found = found || v == ch
			}
		case *ast.SendStmt:
			found = found || s.before(w, n) && s.variable(n.Chan) == ch.Obj
		}
		return !found
	})
	return found
}

// drainedBy says whether a function that receives from the channel, or what it calls,
// reads the variable, and some function takes all that is in it.
func (s *search) drainedBy(v access.Var, ch access.Var) bool {
	emptied := false
	for _, st := range s.states {
		for _, o := range st.order {
			emptied = emptied || o.Var.Obj == v.Obj && o.Mode == atomicity.Write && o.via == nil && o.held.Any() && !s.isGrowth(o)
		}
	}
	if !emptied {
		return false
	}
	for _, b := range s.pkg.Bodies {
		if s.receivesFrom(b, ch) && s.readsBelow(b, v, 0, map[*accesses.Body]int{}) {
			return true
		}
	}
	return false
}

// receivesFrom says whether the body receives from the channel.
func (s *search) receivesFrom(b *accesses.Body, ch access.Var) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW && s.variable(n.X) == ch.Obj
		case *ast.RangeStmt:
			found = found || s.variable(n.X) == ch.Obj
		}
		return !found
	})
	return found
}

// readsBelow says whether the body, or what it calls, reads the variable.
func (s *search) readsBelow(b *accesses.Body, v access.Var, depth int, seen map[*accesses.Body]int) bool {
	if at, ok := seen[b]; b == nil || ok && at <= depth || depth > maxDepth {
		return false
	}
	seen[b] = depth
	for _, o := range s.stateOf(b).order {
		if o.Var.Obj == v.Obj && o.Mode == atomicity.Read {
			return true
		}
	}
	for _, events := range b.Events {
		for _, ev := range events {
			if call, ok := ev.Node.(*ast.CallExpr); ok && s.readsBelow(s.pkg.ByFunc[s.locks.Callee(call)], v, depth+1, seen) {
				return true
			}
		}
	}
	return false
}
