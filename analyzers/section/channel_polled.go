package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// polled finds sends on a channel after a look at the signal for the end, where who gives
// that signal closes the channel later: select { case <-x.quit: return; default: };
// x.out <- v. Between the look and the send both can be closed, and the send panics. It
// is what arms finds, with the look and the send in two statements.
func (s *search) polled() {
	s.eachSend(func(send *ast.SendStmt, ch *occurrence, held locks.Set) (done bool) {
		for _, end := range s.polls(send) {
			if end.Var == ch.Var {
				continue
			}
			if c, in := s.endedWith(ch, end, held); c != nil {
				s.overtaken(ch, end, c, in)
				return true
			}
		}
		return false
	})
}

func (s *search) overtaken(ch, end *occurrence, c *closeCall, in *access.Function) {
	d := s.direct("testuse", "send-after-check", end.Access, end.Pos(), ch.Pos())
	d.EndName = s.pkg.Name(ch.Var)
	d.Roles = [2]string{"polled", "sent on"}
	d.Message = fmt.Sprintf("%s can be closed between the look at %s and the send on it, which then panics: %s closes both",
		types.ExprString(ch.Expr), types.ExprString(end.Expr), in.Name)
	s.tell(d, end, c.channel.Access)
}

// polls are the channels of the object that a select with a default arm before the send,
// or around it, receives from in an arm that leaves the function or does not send.
func (s *search) polls(send *ast.SendStmt) []*occurrence {
	ch := s.pkg.PlaceOf(send.Chan)
	var list []*occurrence
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			for _, clause := range n.Body.List {
				comm, ok := clause.(*ast.CommClause)
				if !ok || comm.Comm == nil {
					continue
				}
				x, ok := comm.Comm.(*ast.ExprStmt)
				if !ok {
					continue
				}
				u, ok := ast.Unparen(x.X).(*ast.UnaryExpr)
				if !ok || u.Op != token.ARROW {
					continue
				}
				end := s.pkg.PlaceOf(u.X)
				_, leaving, fallback := s.poll(n, end)
				if fallback == nil || end.Root != ch.Root {
					continue
				}
				within := fallback.Pos() <= send.Pos() && send.End() <= fallback.End()
				if within || leaving && n.End() <= send.Pos() {
					if o := s.occurrenceOf(u.X); o != nil && o.Var.Obj.IsField() {
						list = append(list, o)
					}
				}
			}
		}
		return true
	})
	return list
}

// endedWith is a call that closes ch in a function that closes end before, with nothing in
// between that waits for goroutines, and no lock that is held at the send too.
func (s *search) endedWith(ch, end *occurrence, held locks.Set) (*closeCall, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) || b.Outermost() == current.body.Outermost() {
			continue
		}
		s.bodyState = s.states[b]
		for _, c := range s.closeCalls() {
			if c.channel.Var != ch.Var || excludes(held, c.held) && c.held.Any() && held.Any() {
				continue
			}
			if at := s.closedBefore(end.Var, c.call); at.IsValid() && !s.waitsBetween(b.Outermost(), at, c.call.Pos()) {
				return &c, b.Fn
			}
		}
	}
	return nil, nil
}

// closedBefore is where the function closes the channel of the variable before the call.
func (s *search) closedBefore(v access.Var, call *ast.CallExpr) token.Pos {
	at := token.NoPos
	ast.Inspect(s.body.Outermost().Block, func(n ast.Node) bool {
		if n == nil || n.Pos() >= call.Pos() {
			return false
		}
		if ch := s.closeOf(n); ch != nil && s.variable(ch) == v.Obj {
			at = n.Pos()
		}
		return true
	})
	return at
}

// waitsBetween says whether the function waits for goroutines between the two places: by
// a receive, or by a call of a Wait, or of a function of this package that waits so.
func (s *search) waitsBetween(b *accesses.Body, from, to token.Pos) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if n == nil || n.End() <= from || n.Pos() >= to {
			return false
		}
		if n.Pos() > from && s.awaitsGoroutines(n, true) {
			found = true
		}
		return !found
	})
	return found
}

func (s *search) awaitsGoroutines(n ast.Node, deep bool) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.RangeStmt:
		if t := s.pkg.Info.TypeOf(n.X); t != nil {
			_, isChan := t.Underlying().(*types.Chan)
			return isChan
		}
	case *ast.CallExpr:
		fn := s.locks.Callee(n)
		if fn == nil {
			return false
		}
		if waits.MatchString(fn.Name()) {
			return true
		}
		b := s.pkg.ByFunc[fn]
		if b == nil || !deep {
			return false
		}
		found := false
		ast.Inspect(b.Block, func(m ast.Node) bool {
			if m == nil || found {
				return false
			}
			_, isLit := m.(*ast.FuncLit)
			found = s.awaitsGoroutines(m, false)
			return !isLit && !found
		})
		return found
	}
	return false
}
