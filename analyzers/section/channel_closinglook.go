package section

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// What tells a function whether a channel is closed already, before it closes it.

// lookedAt is the look at the channel that decides about closing it: a receive
// in a select with a default case, or a call of a method that makes one.
func (s *search) lookedAt(c closeCall) ast.Expr {
	if s.closesAlone(c) {
		return nil
	}
	var look ast.Expr
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			received, leaves, fallback := s.poll(n, c.channel.place)
			switch {
			case received == nil:
			case fallback.Pos() <= c.call.Pos() && c.call.End() <= fallback.End():
				if s.alwaysIn(fallback.Body, c.call) {
					look = received
				}
			case leaves && c.call.Pos() > n.End() && !s.letsOneIn(c.block):
				look = received
			}
		}
		return look == nil
	})
	if look != nil {
		return look
	}
	for block, conds := range s.body.Conds {
		for _, cond := range conds {
			call, ok := ast.Unparen(cond).(*ast.CallExpr)
			if not, isNot := ast.Unparen(cond).(*ast.UnaryExpr); isNot && not.Op == token.NOT {
				call, ok = ast.Unparen(not.X).(*ast.CallExpr)
			}
			if !ok {
				continue
			}
			if decides, _ := s.decides(block, c.block); decides && s.asks(call, c.channel.place) {
				return call
			}
		}
	}
	return nil
}

// flagged is the look at an atomic variable of the same object which alone decides
// about closing it, where the function does not change that variable, nor tests
// anything in one step with a change.
func (s *search) flagged(c closeCall) ast.Expr {
	if c.held.Any() || s.body.Func == nil || !s.body.Func.Exported() || !endings.MatchString(s.body.Func.Name()) || s.body.Func.Signature().Recv() == nil || s.recovers() {
		return nil
	}
	var look ast.Expr
	for block, conds := range s.body.Conds {
		if decides, _ := s.decides(block, c.block); !decides {
			continue
		}
		for _, cond := range conds {
			for a := range s.values.of(cond) {
				o := s.occ[a]
				switch {
				case o == nil:
				case rmw(a), o.held.Any(), o.via != nil && isError(s.pkg.Info.TypeOf(o.via)):
					return nil // chosen, or under a lock, or by what may do both
				case a.Kind == access.Atomic && o.place.Root == c.channel.place.Root:
					look = cond
				}
			}
		}
	}
	for _, o := range s.order {
		if look != nil && o.Mode == atomicity.Write && (o.Kind == access.Atomic || o.place == c.channel.place) {
			return nil // section tells about that
		}
	}
	return look
}

// alwaysIn says whether the call is a statement of its own in the list.
func (s *search) alwaysIn(list []ast.Stmt, call *ast.CallExpr) bool {
	for _, stmt := range list {
		if x, ok := stmt.(*ast.ExprStmt); ok && ast.Unparen(x.X) == ast.Expr(call) {
			return true
		}
	}
	return false
}

// letsOneIn says whether control comes to the block on some condition that may hold for one of several only: all but
// comparisons of a field with nil, of an object that the function sets nothing of there.
func (s *search) letsOneIn(block int) bool {
	for test, conds := range s.body.Conds {
		if conds == nil || test == block {
			continue
		}
		if ok, _ := s.decides(test, block); !ok {
			continue
		}
		for _, cond := range conds {
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			if !ok || !s.pkg.Info.Types[b.Y].IsNil() {
				return true
			}
			asked := s.pkg.PlaceOf(b.X)
			sel, ok := ast.Unparen(b.X).(*ast.SelectorExpr)
			if !ok || !asked.Valid() || s.variable(sel) == nil || !s.variable(sel).IsField() || slices.ContainsFunc(s.order, func(o *occurrence) bool {
				return o.Mode == atomicity.Write && o.place == asked
			}) {
				return true
			}
		}
	}
	return false
}

// anyDecides says whether control comes to the block only on some condition.
func (s *search) anyDecides(block int) bool {
	for test, conds := range s.body.Conds {
		if conds != nil && test != block {
			if ok, _ := s.decides(test, block); ok {
				return true
			}
		}
	}
	return false
}

// poll matches select { case <-ch: …; default: … } and says whether the first
// case leaves the function.
func (s *search) poll(n *ast.SelectStmt, ch accesses.Place) (received ast.Expr, leaving bool, fallback *ast.CommClause) {
	for _, clause := range n.Body.List {
		comm, ok := clause.(*ast.CommClause)
		if !ok {
			continue
		}
		if comm.Comm == nil {
			fallback = comm
			continue
		}
		var e ast.Expr
		switch c := comm.Comm.(type) {
		case *ast.ExprStmt:
			e = c.X
		case *ast.AssignStmt:
			e = c.Rhs[0]
		}
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW && s.pkg.PlaceOf(u.X) == ch {
			received, leaving = u.X, leaves(&ast.BlockStmt{List: comm.Body})
		}
	}
	if fallback == nil {
		return nil, false, nil
	}
	return received, leaving, fallback
}

// asks says whether the call is of a function that does nothing but poll the
// channel.
func (s *search) asks(call *ast.CallExpr, ch accesses.Place) bool {
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	if b == nil || len(b.Block.List) > 2 {
		return false
	}
	poll, ok := b.Block.List[0].(*ast.SelectStmt)
	if !ok {
		return false
	}
	inside := s.locks.ToCallee(call, fn, ch)
	received, _, _ := s.poll(poll, inside)
	return received != nil
}

var idempotentDoc = pattern.New(`(?i)idempotent|(more than once|multiple times|several times|repeatedly|twice)`)

// looksAt says whether a condition on something in the object decides whether
// control comes to the block.
func (s *search) looksAt(object accesses.Place, block int) bool {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, block); !decides {
			continue
		}
		for _, cond := range conds {
			for a := range s.values.of(cond) {
				if o := s.occ[a]; o != nil && o.place.Root == object.Root {
					return true
				}
			}
		}
	}
	return false
}

func (s *search) inSelect(n ast.Node) bool {
	found := false
	ast.Inspect(s.body.Block, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.SelectStmt, *ast.TypeSwitchStmt:
			found = found || m.Pos() <= n.Pos() && n.End() <= m.End()
		}
		return !found
	})
	return found
}

// inLoop says whether n lies in a loop of the block.
func inLoop(block *ast.BlockStmt, n ast.Node) bool {
	found := false
	ast.Inspect(block, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || m.Pos() <= n.Pos() && n.End() <= m.End()
		}
		return !found
	})
	return found
}
