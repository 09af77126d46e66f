package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// clockBare finds goroutines that test, at each tick of a clock, when something was done last, without
// any lock, while another function notes that plainly or not:
//
//	for {                                            func (c *conn) handle(p packet) {
//		select {                                         c.last = time.Now()
//		case <-ticker.C:                                 …
//			if time.Since(c.last) > limit { … }      }
//
// A time is stored in several steps, and a number need not be seen at all.
func (s *search) clockBare() {
	if !s.shared.Spawned(s.body) || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, o := range s.order {
		if o.via != nil || o.Mode != atomicity.Read || o.Kind != access.Cell || len(o.held) > 0 || o.place.Root == nil || !o.Var.Obj.IsField() || s.reachOf(o) == shared.Private || len(s.testsOf(o.Access, false)) == 0 {
			continue
		}
		loop := s.tickingLoop(o)
		if loop == nil || s.toldOfFlag(o.Var) || s.maySetInTurn(loop, o.Var) || s.toldByMessage(loop) {
			continue
		}
		w, in := s.another(o.Var, s.body, s.notesNow)
		if w == nil {
			continue
		}
		if ok, _, _ := s.shared.Rivals(s.body, o.Var); !ok {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), w.Pos())
		c.Roles = [2]string{"looked at", "set"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is looked at here at each tick without a lock or an atomic operation, and %s sets it at the same time", types.ExprString(o.Expr), in.Name)
		s.tell(c, o, w.Access)
		return
	}
}

// tickingLoop is the loop without a condition, or the one over a clock, that comes to o whenever the clock
// ticks; or nil.
func (s *search) tickingLoop(o *occurrence) (loop ast.Node) {
	within := func(n ast.Node) bool { return n.Pos() <= o.Pos() && o.Pos() < n.End() }
	var around ast.Node
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			if n.Cond == nil && within(n.Body) {
				around = n
			}
		case *ast.RangeStmt:
			ch, isChan := s.values.underlying(n.X).(*types.Chan)
			if clock := clockOf(ch); isChan && clock && within(n.Body) {
				loop = n
			}
		case *ast.CommClause:
			if from := received(n); from != nil && within(n) && around != nil && n.Comm.End() <= o.Pos() {
				if ch, ok := s.values.underlying(from).(*types.Chan); ok && clockOf(ch) {
					loop = around
				}
			}
		}
		return true
	})
	return loop
}

// clockOf says whether what comes out of the channel are times.
func clockOf(ch *types.Chan) bool {
	if ch == nil {
		return false
	}
	tn := accesses.TypeName(ch.Elem())
	return tn != nil && tn.Name() == "Time" && tn.Pkg() != nil && tn.Pkg().Path() == "time"
}

// toldByMessage says whether the loop receives from a channel of an object, other than a clock or an
// empty signal: it may be told by a message.
func (s *search) toldByMessage(loop ast.Node) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		if _, lit := n.(*ast.FuncLit); lit || !ok || u.Op != token.ARROW {
			return !lit
		}
		if ch, ok := s.values.underlying(u.X).(*types.Chan); ok && !clockOf(ch) {
			v := s.variable(u.X)
			found = found || v != nil && s.sentWith(v)
		}
		return !found
	})
	return found
}

// sentWith says whether a function that notes a time also sends on the channel.
func (s *search) sentWith(ch *types.Var) bool {
	for _, b := range s.pkg.Bodies {
		notes := false
		for _, w := range s.states[b].order {
			notes = notes || w.Mode == atomicity.Write && s.notesNow(w)
		}
		if !notes {
			continue
		}
		for _, send := range sendsIn(b.Block) {
			if s.variable(send.Chan) == ch {
				return true
			}
		}
	}
	return false
}

// notesNow says whether the write stores the time of day, in a function that neither makes nor starts
// the object.
func (s *search) notesNow(w *occurrence) bool {
	values := stored(w.Access)
	if w.Mode != atomicity.Write || len(values) != 1 {
		return false
	}
	now := false
	ast.Inspect(values[0], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			fn := s.locks.Callee(call)
			now = now || fn != nil && fn.FullName() == "time.Now"
		}
		return !now
	})
	b := s.pkg.ByNode[w.Func.Node]
	if !now || b == nil || s.shared.Constructing(b) || s.shared.SetsGoing(b) && !inLoop(b.Block, w.Expr) || s.shared.Sequential(b) {
		return false
	}
	starts := false
	ast.Inspect(b.Outermost().Block, func(n ast.Node) bool {
		start, ok := n.(*ast.GoStmt)
		starts = starts || ok && s.pkg.Order(w.Pos()) < s.pkg.Order(start.Pos())
		return !starts
	})
	return !starts && !s.privateIn(placed{w, b}) && !s.waitsBefore(placed{w, b})
}
