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
	"github.com/atomrace/atomrace/internal/pattern"
)

// polledBare finds loops that look at a plain field of their object turn by turn, without any lock,
// while nothing in the loop sets it and another function does:
//
//	for {                            func (m *meter) Finish() {
//		if m.done { break }              m.done = true
//		m.print()                        …
//		time.Sleep(m.every)          }
//	}
//
// Nobody looks again and again at what he sets himself alone, so that another goroutine sets it: the
// loop may never see it. A loop that sleeps until it is set waits for somebody; from another one, a
// method that ends the object lets it out.
func (s *search) polledBare() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.UsedByOne(s.body) {
		return
	}
	for _, o := range s.order {
		if o.via != nil || o.Mode != atomicity.Read || o.Kind != access.Cell || len(o.held) > 0 || o.place.Root == nil || !o.Var.Obj.IsField() || !polledType(o.Var.Obj.Type()) || s.reachOf(o) == shared.Private {
			continue
		}
		loop, sleeps := s.pollingLoop(o)
		if loop == nil || s.toldOfFlag(o.Var) || s.maySetInTurn(loop, o.Var) || s.countsUpTo(loop, o) {
			continue
		}
		w, in := s.another(o.Var, s.body, func(w *occurrence) bool { return w.Mode == atomicity.Write && s.setsPolled(w, sleeps) })
		if w == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), w.Pos())
		c.Roles = [2]string{"polled", "set"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is polled here without a lock or an atomic operation, and %s sets it at the same time: the loop need never see that", types.ExprString(o.Expr), in.Name)
		s.tell(c, o, w.Access)
		return
	}
}

// countsUpTo says whether the loop ends by what it counts itself: for i := n; i < t.columns; i++, or
// for r.row < r.target { r.row += r.skip() }.
func (s *search) countsUpTo(loop *ast.ForStmt, o *occurrence) bool {
	cond, compares := loop.Cond.(*ast.BinaryExpr)
	if !compares {
		return false
	}
	var count string
	switch cond.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		switch {
		case s.is(cond.X, o.Access):
			count = types.ExprString(cond.Y)
		case s.is(cond.Y, o.Access):
			count = types.ExprString(cond.X)
		}
	}
	if count == "" {
		return false
	}
	counts := false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IncDecStmt:
			counts = counts || types.ExprString(n.X) == count
		case *ast.AssignStmt:
			counts = counts || n.Tok != token.ASSIGN && n.Tok != token.DEFINE && types.ExprString(n.Lhs[0]) == count
		}
		return true
	})
	return counts
}

// polledType says whether the type is one of plain flags and states.
func polledType(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsBoolean|types.IsInteger) != 0
}

// setsPolled says whether the write, of a constant and by a function that neither makes nor starts
// the object, unless in a loop, is one that a loop polls for: one that sleeps until then, for any; another, for that of a method
// that ends the object.
func (s *search) setsPolled(w *occurrence, sleeps bool) bool {
	values := stored(w.Access)
	if len(values) != 1 || w.Update != nil || s.pkg.Info.Types[values[0]].Value == nil {
		return false
	}
	b := s.pkg.ByNode[w.Func.Node]
	if b == nil || s.shared.Constructing(b) || s.shared.SetsGoing(b) && !inLoop(b.Block, w.Expr) || s.shared.Sequential(b) || b.Outermost().Func == nil {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	if s.waitedBefore(w) || s.reachOf(w) == shared.Private {
		return false
	}
	fn := b.Outermost().Func
	return sleeps || fn.Exported() && fn.Signature().Recv() != nil && (endings.MatchString(fn.Name()) || finishing.MatchString(fn.Name()))
}

var finishing = pattern.New(`^(Finish|End|Exit|Interrupt|Done)(ed|All|Now)?$`)

// pollingLoop is the loop that decides by o, turn by turn, whether it goes on, and whether it sleeps
// until then; one that receives something or waits otherwise is told by that.
func (s *search) pollingLoop(o *occurrence) (loop *ast.ForStmt, sleeps bool) {
	var asleep ast.Node
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		l, ok := n.(*ast.ForStmt)
		if _, lit := n.(*ast.FuncLit); lit || !ok {
			return !lit
		}
		within := func(x ast.Node) bool { return x != nil && x.Pos() <= o.Pos() && o.Pos() < x.End() }
		if l.Cond != nil && within(l.Cond) {
			loop, asleep = l, l.Body
			if len(l.Body.List) > 2 {
				asleep = nil
			}
		}
		for _, stmt := range l.Body.List {
			test, ok := stmt.(*ast.IfStmt)
			if ok && test.Init == nil && within(test.Cond) && (leavesTurn(test.Body) || l.Cond == nil && test.Else != nil) {
				loop, asleep = l, test.Body
			}
		}
		return true
	})
	if loop == nil {
		return nil, false
	}
	waits := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				tick := s.isTick(n)
				sleeps, waits = sleeps || tick && inNode(asleep, n), waits || !tick
			}
		case *ast.RangeStmt:
			_, isChan := s.values.underlying(n.X).(*types.Chan)
			waits = waits || isChan
		case *ast.CallExpr:
			if fn := s.locks.Callee(n); fn != nil && fn.Pkg() != nil {
				sleeps = sleeps || fn.Name() == "Sleep" && fn.Pkg().Path() == "time" && inNode(asleep, n)
				waits = waits || fn.Name() == "Wait"
			}
		}
		return true
	})
	if waits {
		return nil, false
	}
	return loop, sleeps
}

// inNode says whether n lies in the node, if there is one.
func inNode(in, n ast.Node) bool { return in != nil && in.Pos() <= n.Pos() && n.End() <= in.End() }

// leavesTurn says whether the block ends with a statement that leaves the loop, or this turn of it
// after a while.
func leavesTurn(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch last := block.List[len(block.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK || last.Tok == token.GOTO || last.Tok == token.CONTINUE && len(block.List) > 1
	}
	return false
}

// maySetInTurn says whether the loop, or what it calls, sets the variable, or, unless a goroutine of the
// package runs it, calls something that may: a function in a variable, or a method of an interface.
func (s *search) maySetInTurn(loop *ast.ForStmt, v access.Var) bool {
	writers := s.shared.Use(v).Writers()
	if writers[s.body] && s.setsWithin(s.body, loop, v) {
		return true
	}
	spawned := s.shared.Spawned(s.body)
	seen := map[*accesses.Body]bool{s.body: true}
	var sets func(n ast.Node, depth int) bool
	sets = func(n ast.Node, depth int) bool {
		found := false
		ast.Inspect(n, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok {
				return false // another goroutine
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || found {
				return !found
			}
			if tv := s.pkg.Info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
				return true
			}
			fn := s.locks.Callee(call)
			to := s.pkg.ByFunc[fn]
			switch {
			case fn == nil:
				_, lit := ast.Unparen(call.Fun).(*ast.FuncLit)
				found = !lit && !spawned
			case to == nil:
				recv := fn.Signature().Recv()
				ofOwn := recv != nil && types.IsInterface(recv.Type()) && fn.Pkg() == s.pkg.Types
				for w := range writers {
					found = found || ofOwn && (!spawned || w.Outermost().Func != nil && w.Outermost().Func.Name() == fn.Name())
				}
			case !seen[to]:
				seen[to] = true
				found = writers[to] || depth > 6 || sets(to.Block, depth+1)
			}
			return !found
		})
		return found
	}
	return sets(loop, 0)
}

// setsWithin says whether the body itself writes the variable in the loop, or in a literal that it has
// there.
func (s *search) setsWithin(b *accesses.Body, loop ast.Node, v access.Var) bool {
	for _, w := range s.stateOf(b).order {
		if w.Mode == atomicity.Write && w.Var == v && (w.via == nil && loop.Pos() <= w.Pos() && w.Pos() < loop.End() || w.via != nil && loop.Pos() <= w.via.Pos() && w.via.Pos() < loop.End()) {
			return true
		}
	}
	return false
}
