package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// eachCloses finds goroutines that are started in a loop, each of which closes the same
// channel: for _, in := range ins { go func() { <-in; close(out) }() }. Nothing chooses
// one of them: a select with an arm for the channel itself does not, for both arms may be
// ready, and an error that ends one goroutine may end another.
func (s *search) eachCloses() {
	lit, ok := s.body.Node.(*ast.FuncLit)
	if !ok || s.body.Parent == nil || s.recovers() {
		return
	}
	loop := s.startedInLoop(lit)
	if loop == nil {
		return
	}
	within := func(pos token.Pos) bool { return loop.Pos() <= pos && pos < loop.End() }
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if d, deferred := ev.Node.(*ast.DeferStmt); deferred && ev.Kind == accesses.OnDefer {
			call, ok = d.Call, true
		} else if ev.Kind != accesses.OnCall {
			return
		}
		if !ok || s.closeOf(call) == nil || held.Holds(locks.Once) || !s.failureAlone(block) || !s.allReceive(call, within) || s.saidLooked(call) {
			return
		}
		pl := s.pkg.PlaceOf(call.Args[0])
		v, ok := pl.Root.(*types.Var)
		if !ok || within(v.Pos()) || strings.Contains(pl.Path, "[") || s.storedIn(loop, pl) {
			return
		}
		a := &access.Access{Var: access.Var{Obj: v}, Mode: atomicity.Read, Func: s.body.Fn, Expr: call.Args[0], Cell: call.Args[0]}
		c := s.direct("testuse", "double-close", a, lit.Pos(), call.Pos())
		c.Name = pl.String()
		c.Roles = [2]string{"left to each of the goroutines", "closed"}
		c.Message = fmt.Sprintf("each of the goroutines that are started here can close %s, and the second one panics: nothing chooses one of them", types.ExprString(call.Args[0]))
		s.tell(c, &occurrence{Access: a, place: pl}, a)
	})
}

// endsProgram says whether the program ends on one way from the block, as by log.Fatal.
func (s *search) endsProgram(block int) bool {
	return slices.ContainsFunc(s.body.CFG.Blocks[block].Succs, func(b *cfg.Block) bool {
		events := s.body.Events[b.Index]
		return len(b.Succs) == 0 && len(events) > 0 && events[len(events)-1].Kind == accesses.OnCall
	})
}

// saidLooked says whether a look before the call is reported already.
func (s *search) saidLooked(call *ast.CallExpr) bool {
	return slices.ContainsFunc(s.found, func(c *Candidate) bool {
		return c.Sure && c.Category == "double-close" && c.EndPos == call.Pos()
	})
}

// startedInLoop is the innermost loop in which the goroutine is started that begins with
// the literal, or nil; each time round starts one.
func (s *search) startedInLoop(lit *ast.FuncLit) ast.Stmt {
	parent := s.body.Parent
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[parent]
	for block, events := range parent.Events {
		for _, ev := range events {
			starts := false
			switch n := ev.Node.(type) {
			case *ast.GoStmt:
				starts = ev.Kind == accesses.OnGo && ast.Unparen(n.Call.Fun) == ast.Expr(lit)
			case *ast.CallExpr:
				fn := s.locks.Callee(n)
				for i, a := range n.Args {
					starts = starts || ev.Kind == accesses.OnCall && ast.Unparen(a) == ast.Expr(lit) && s.locks.Spawns(fn, i)
				}
			}
			if !starts {
				continue
			}
			loop := loopAround(parent.Block, ev.Node)
			if loop == nil || !s.comesRound(block) {
				return nil
			}
			for test, conds := range parent.Conds {
				for _, c := range conds {
					if decides, _ := s.decides(test, block); decides && loop.Pos() < c.Pos() && c.Pos() < loop.End() && !isCondOf(loop, c) && !s.endsProgram(test) {
						return nil // it may choose one
					}
				}
			}
			return loop
		}
	}
	return nil
}

// comesRound says whether control comes from the block to itself again.
func (s *search) comesRound(block int) bool {
	const none = -1
	for _, succ := range s.body.CFG.Blocks[block].Succs {
		if s.reaches(succ, none)[block] {
			return true
		}
	}
	return false
}

func isCondOf(loop ast.Stmt, c ast.Expr) bool {
	f, ok := loop.(*ast.ForStmt)
	return ok && f.Cond != nil && f.Cond.Pos() <= c.Pos() && c.End() <= f.Cond.End()
}

// loopAround is the innermost loop of the block that contains n.
func loopAround(block *ast.BlockStmt, n ast.Node) ast.Stmt {
	var loop ast.Stmt
	ast.Inspect(block, func(m ast.Node) bool {
		if m == nil || m.Pos() > n.Pos() || m.End() < n.End() {
			return false
		}
		switch m := m.(type) {
		case *ast.ForStmt:
			loop = m
		case *ast.RangeStmt:
			loop = m
		}
		return true
	})
	return loop
}

// failureAlone says whether control comes to the block of the goroutine always, or
// because of an error that it has met itself.
func (s *search) failureAlone(block int) bool {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, block); !decides || test == block {
			continue
		}
		for _, c := range conds {
			b, ok := ast.Unparen(c).(*ast.BinaryExpr)
			if !ok || !isError(s.pkg.Info.TypeOf(b.X)) {
				return false
			}
			id, ok := ast.Unparen(b.X).(*ast.Ident)
			if !ok || !s.mine(id) {
				return false
			}
		}
	}
	return true
}

// mine says whether the variable is the goroutine's own.
func (s *search) mine(id *ast.Ident) bool {
	v := s.pkg.Info.ObjectOf(id)
	return v != nil && s.body.Node.Pos() <= v.Pos() && v.Pos() < s.body.Node.End()
}

// allReceive says whether what the goroutine receives before the call comes to each of
// them: from a channel of its own, or one that says by its end that something is over.
func (s *search) allReceive(call *ast.CallExpr, within func(token.Pos) bool) bool {
	all := true
	for _, events := range s.body.Events {
		for _, ev := range events {
			u, ok := ev.Node.(*ast.UnaryExpr)
			if !ok || ev.Kind != accesses.OnReceive || u.Pos() > call.Pos() || !inArm(s.body.Block, u, call) {
				continue
			}
			if _, ok := ast.Unparen(u.X).(*ast.CallExpr); ok {
				continue // ctx.Done(), time.After(d)
			}
			pl := s.pkg.PlaceOf(u.X)
			if pl.Root != nil && within(pl.Root.Pos()) {
				continue
			}
			t, ok := s.values.underlying(u.X).(*types.Chan)
			if !ok {
				all = false
				continue
			}
			if st, isStruct := t.Elem().Underlying().(*types.Struct); t.Dir() != types.RecvOnly || !isStruct || st.NumFields() > 0 {
				all = false
			}
		}
	}
	return all
}

// storedIn says whether the loop stores another channel at the place.
func (s *search) storedIn(loop ast.Stmt, pl accesses.Place) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, l := range a.Lhs {
				to := s.pkg.PlaceOf(l)
				found = found || to.Root == pl.Root && strings.HasPrefix(pl.Path, to.Path)
			}
		}
		return !found
	})
	return found
}
