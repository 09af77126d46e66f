package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// leftArm finds functions that wait in a select for what a goroutine, which they have started, sends on a
// channel of theirs, and close the channel when something else comes first:
//
//	result := make(chan int)
//	defer close(result)
//	go func() { result <- compute() }()
//	select {
//	case r := <-result:
//		return r, nil
//	case <-ctx.Done():
//		return 0, ctx.Err()
//	}
//
// or with close(result) in the second arm. The goroutine does not know, and panics.
func (s *search) leftArm() {
	var deferred []*ast.CallExpr
	var selects []*ast.SelectStmt
	closed := map[types.Object]bool{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			if s.closeOf(n.Call) != nil {
				deferred = append(deferred, n.Call)
			}
		case *ast.SelectStmt:
			selects = append(selects, n)
		case *ast.CallExpr:
			if s.closeOf(n) != nil {
				if id := identOf(n.Args[0]); id != nil {
					closed[s.pkg.Info.Uses[id]] = true
				}
			}
		}
		return true
	})
	if len(closed) == 0 {
		return
	}
	for _, sel := range selects {
		for _, clause := range sel.Body.List {
			from := received(clause.(*ast.CommClause))
			id := identOf(from)
			if id == nil {
				continue
			}
			ch, ok := s.pkg.Info.Uses[id].(*types.Var)
			if !ok || !closed[ch] || !s.ownChannelOf(ch) {
				continue
			}
			send, in := s.sentBeside(s.body, ch, 1)
			if send == nil || s.awaitsElse(ch) {
				continue
			}
			if closed := s.closedLeaving(sel, ch, in, deferred); closed != nil {
				s.tellOfLeft(closed, ch, send, "%s is closed here when something else comes before what is sent on it, and the goroutine that sends does not know: its send panics")
				return
			}
		}
	}
}

// ownChannelOf says whether the variable is the body's own, and always the same channel.
func (s *search) ownChannelOf(ch *types.Var) bool {
	return !ch.IsField() && !accesses.IsGlobal(ch) && len(s.values.assigns[ch]) == 1 && s.body.Encloses(ch.Pos())
}

// closedLeaving is the channel's expression in the call that closes it where another arm of the select than the one that
// receives from it leaves the function: in the arm, or deferred before. What the other arm waits for
// is nothing that the goroutine, which is in the body, does after it has sent.
func (s *search) closedLeaving(sel *ast.SelectStmt, ch *types.Var, in *accesses.Body, deferred []*ast.CallExpr) ast.Expr {
	of := func(call *ast.CallExpr) bool {
		id := identOf(call.Args[0])
		return id != nil && s.pkg.Info.Uses[id] == types.Object(ch)
	}
	for _, clause := range sel.Body.List {
		comm := clause.(*ast.CommClause)
		other := received(comm)
		if id := identOf(other); other == nil || id != nil && s.pkg.Info.Uses[id] == types.Object(ch) || len(comm.Body) == 0 {
			continue
		}
		if _, returns := comm.Body[len(comm.Body)-1].(*ast.ReturnStmt); !returns || s.endsIn(other, in) {
			continue
		}
		for _, st := range comm.Body {
			if x, ok := st.(*ast.ExprStmt); ok {
				if call, ok := x.X.(*ast.CallExpr); ok && s.closeOf(call) != nil && of(call) {
					return call.Args[0]
				}
			}
		}
		for _, call := range deferred {
			if call.Pos() < sel.Pos() && of(call) {
				return call.Args[0]
			}
		}
	}
	return nil
}

// endsIn says whether the channel is one that a goroutine of the function, or of the one that sends, may send on or close: a variable
// that is named there other than in a receive.
func (s *search) endsIn(other ast.Expr, in *accesses.Body) bool {
	if _, call := ast.Unparen(other).(*ast.CallExpr); call {
		return false // ctx.Done(), time.After(d)
	}
	name := types.ExprString(other)
	taken := map[ast.Node]bool{}
	ends := false
	for _, b := range []*accesses.Body{s.body, in} {
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					taken[ast.Unparen(n.X)] = true
				}
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					for _, lhs := range n.Lhs {
						taken[lhs] = true
					}
				}
			case *ast.Ident, *ast.SelectorExpr:
				ends = ends || !taken[n] && types.ExprString(n.(ast.Expr)) == name
			case *ast.Field, *ast.ValueSpec:
				return false
			}
			return !ends
		})
	}
	return ends
}

// awaitsElse says whether the body waits for something outside of its selects: perhaps for the goroutines
// that send on the channel; or somebody takes a lock there. A receive from the channel itself, in a select, is none.
func (s *search) awaitsElse(ch *types.Var) bool {
	return s.waitsElse(ch) || makesCall(s.body.Block, func(call *ast.CallExpr) bool {
		return (calledName(call) == "Lock" || calledName(call) == "RLock") && !s.lockOfSender(call)
	})
}

// makesCall says whether the node makes such a call.
func makesCall(n ast.Node, such func(*ast.CallExpr) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && such(call)
		return !found
	})
	return found
}

// waitsElse is awaitsElse where a lock is no wait.
func (s *search) waitsElse(ch *types.Var) bool {
	inArm := map[ast.Node]bool{}
	waits := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CommClause:
			if from := received(n); from != nil {
				inArm[from] = true
			}
		case *ast.UnaryExpr:
			waits = waits || n.Op == token.ARROW && !inArm[n.X]
		case *ast.RangeStmt:
			id := identOf(n.X)
			waits = waits || id != nil && s.pkg.Info.Uses[id] == types.Object(ch)
		case *ast.CallExpr:
			waits = waits || waitings.MatchString(calledName(n))
		}
		return !waits
	})
	return waits
}

// lockOfSender says whether the lock is one that only a literal takes which a goroutine is started with, of a
// variable that the body does not lock itself: who closes the channel has no part in it.
func (s *search) lockOfSender(call *ast.CallExpr) bool {
	within, alone := false, true
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if n.Pos() <= call.Pos() && call.End() <= n.End() {
				within = true
			}
			return false
		case *ast.CallExpr:
			alone = alone && calledName(n) != "Lock" && calledName(n) != "RLock"
		}
		return alone
	})
	return within && alone
}

// tellOfLeft tells that the channel is closed at the expression while the send is still to come.
func (s *search) tellOfLeft(closed ast.Expr, ch *types.Var, send *ast.SendStmt, message string) {
	a := &access.Access{Var: access.Var{Obj: ch}, Mode: atomicity.Read, Func: s.body.Fn, Expr: closed, Cell: closed}
	c := s.direct("testuse", "send-after-check", a, closed.Pos(), send.Pos())
	c.Name, c.EndName = ch.Name(), types.ExprString(send.Chan)
	c.Roles = [2]string{"closed", "sent on"}
	c.Message = fmt.Sprintf(message, ch.Name())
	s.tell(c, &occurrence{Access: a, place: accesses.Place{Root: ch}}, a)
}
