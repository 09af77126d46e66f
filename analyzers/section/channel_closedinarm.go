package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
)

// besideItsArm is the receive from the channel of c in another arm of the select that c is in an
// arm of, where several goroutines run the body:
//
//	select {
//	case <-time.After(pause):
//		close(t.cancel)
//		send(t)
//	case <-t.cancel: // another one was faster
//	}
//
// The arm is there because another one closes the channel. It does not choose one of them: both
// can find the channel open, and each is in the arm in which it closes it.
func (s *search) besideItsArm(c closeCall) ast.Expr {
	if c.held.Any() || c.held.Holds(locks.Once) || s.recovers() || s.shared.Constructing(s.body) || !s.shared.Several(s.body) && !s.shared.Begins(s.body) && !s.shared.Entered(s.body) ||
		slices.ContainsFunc(s.order, func(o *occurrence) bool { return o.place == c.channel.place && o.Mode == atomicity.Write }) {
		return nil
	}
	if s.receivedAlone(c.channel.place.Root) {
		return nil
	}
	if ch, ok := c.channel.place.Root.(*types.Var); ok && c.channel.place.Path == "" && s.ownChannelOf(ch) && !s.literalCloses(ch) {
		return nil // each call has a channel of its own
	}
	var look ast.Expr
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if _, lit := n.(*ast.FuncLit); lit || look != nil {
			return false
		}
		if !ok || c.call.Pos() < sel.Pos() || sel.End() < c.call.End() {
			return true
		}
		closes := false
		for _, clause := range sel.Body.List {
			comm, ok := clause.(*ast.CommClause)
			if !ok || comm.Comm == nil {
				closes = false // told of by lookedAt
				break
			}
			if s.alwaysIn(comm.Body, c.call) {
				closes = s.waitsForTime(comm) && !s.choosesIn(comm, c.block)
			} else if ch := received(comm); ch != nil && s.pkg.PlaceOf(ch) == c.channel.place {
				look = ch
			}
		}
		if !closes {
			look = nil
		}
		return true
	})
	return look
}

// literalCloses says whether a literal of the body closes the channel.
func (s *search) literalCloses(ch *types.Var) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			found = found || makesCall(lit, func(call *ast.CallExpr) bool {
				id := identOf(s.closeOf(call))
				return id != nil && s.pkg.Info.Uses[id] == types.Object(ch)
			})
		}
		return !found
	})
	return found
}

// choosesIn says whether a test in the arm decides whether control comes to the block, such as
// a CompareAndSwap that lets one of several pass.
func (s *search) choosesIn(comm *ast.CommClause, block int) bool {
	for test, conds := range s.body.Conds {
		if len(conds) == 0 || conds[0].Pos() < comm.Colon || comm.End() < conds[0].End() {
			continue
		}
		if decides, _ := s.decides(test, block); decides {
			return true
		}
	}
	return false
}

// waitsForTime says whether the arm waits for something that comes to each of several
// goroutines: a time, or the end of something that a call returns the channel of.
func (s *search) waitsForTime(comm *ast.CommClause) bool {
	ch := received(comm)
	if ch == nil {
		return false
	}
	if _, call := ast.Unparen(ch).(*ast.CallExpr); call {
		return true // ctx.Done()
	}
	t, ok := s.values.underlying(ch).(*types.Chan)
	if !ok || !strings.HasSuffix(types.TypeString(t.Elem(), nil), "time.Time") {
		return false
	}
	root := s.pkg.PlaceOf(ch).Root // of a timer of its own
	return root != nil && s.body.Node.Pos() <= root.Pos() && root.Pos() < s.body.Node.End()
}

// received is the channel that the arm of a select receives from, or nil.
func received(comm *ast.CommClause) ast.Expr {
	var e ast.Expr
	switch c := comm.Comm.(type) { // nothing of a send, or of a default case
	case *ast.ExprStmt:
		e = c.X
	case *ast.AssignStmt:
		e = c.Rhs[0]
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return u.X
	}
	return nil
}
