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

// stranded finds sends that wait for a receiver, after a look at the signal for the end
// that makes the only receiver leave: select { case <-x.quit: return; default: }; x.in <- v.
// Between the look and the send the signal can be given, and nobody receives any more.
// Instead of the signal, the look may be at a flag that is set where the signal is given.
func (s *search) stranded() {
	s.eachSend(func(send *ast.SendStmt, ch *occurrence, held locks.Set) (done bool) {
		if s.inSelect(send) || held.Any() || len(s.closersOf(ch.Var)) > 0 {
			return false
		}
		for _, end := range s.polls(send) {
			if end.Var != ch.Var && s.leftAt(ch.Var, end.Var) {
				s.strands(ch, end)
				return true
			}
		}
		for _, flag := range s.order {
			if flag.Mode != atomicity.Read || flag.via != nil || flag.place.Root != ch.place.Root || flag.Kind != access.Atomic && !flag.held.Any() ||
				!s.decided(s.testsOf(flag.Access, true), ch.block) || !s.apart(flag, ch.block, ch.index) {
				continue
			}
			for end, use := range s.channels() {
				if len(use.closedWith[flag.Var]) > 0 && !use.closedWith[flag.Var][s.body] && end != ch.Var && s.leftAt(ch.Var, end) {
					s.strands(ch, flag)
					return true
				}
			}
		}
		return false
	})
}

func (s *search) strands(ch, look *occurrence) {
	if s.reachOf(ch) == shared.Private || s.strandedOn[ch.Var] {
		return // one report tells of all who send there
	}
	s.strandedOn[ch.Var] = true
	d := s.direct("testuse", "send-after-check", look.Access, look.Pos(), ch.Pos())
	d.EndName = s.pkg.Name(ch.Var)
	d.Roles = [2]string{"looked at", "sent on"}
	d.Message = fmt.Sprintf("who receives from %s can have left between the look at %s and the send: it waits for ever, or what is sent is lost",
		types.ExprString(ch.Expr), types.ExprString(look.Cell))
	s.tell(d, look, ch.Access)
}

// closersOf are the functions that close the channel, with the last place where they do.
func (s *search) closersOf(ch access.Var) map[*accesses.Body]closeCall { return s.closersOfAll()[ch] }

func (s *search) closersOfAll() map[access.Var]map[*accesses.Body]closeCall {
	if s.closings == nil {
		s.closings = map[access.Var]map[*accesses.Body]closeCall{}
		current := s.bodyState
		for _, b := range s.pkg.Bodies {
			s.bodyState = s.states[b]
			for _, c := range s.closeCalls() {
				if s.closings[c.channel.Var] == nil {
					s.closings[c.channel.Var] = map[*accesses.Body]closeCall{}
				}
				s.closings[c.channel.Var][b] = c
			}
		}
		s.bodyState = current
	}
	return s.closings
}

// leftAt says whether all that receive from the channel, one at least, leave for good when
// the signal is given, without taking what is in it still, and somebody gives it.
func (s *search) leftAt(ch, end access.Var) bool {
	closers := s.closersOf(end)
	told := false // by a last message
	for b, c := range closers {
		told = told || s.sendsAfter(b, ch, c.call.End())
	}
	receivers := 0
	for _, b := range s.pkg.Bodies {
		if !s.receivesFrom(b, ch) {
			continue
		}
		if !s.leavesFor(b, ch, end, told) || !s.shared.Spawned(b) {
			return false
		}
		receivers++
	}
	return receivers == 1 && len(closers) > 0
}

// sendsAfter says whether the body sends on the channel after the place.
func (s *search) sendsAfter(b *accesses.Body, ch access.Var, from token.Pos) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		send, ok := n.(*ast.SendStmt)
		found = found || ok && send.Pos() > from && s.variable(send.Chan) == ch.Obj
		return !found
	})
	return found
}

// leavesFor says whether the body receives from the channel in one place, in a select in a
// loop, and leaves the loop in an arm for the signal, or, if it is told so by a message, in
// the arm for the channel.
func (s *search) leavesFor(b *accesses.Body, ch, end access.Var, told bool) bool {
	receives, left := 0, false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && s.variable(n.X) == ch.Obj {
				receives++
			}
		case *ast.RangeStmt:
			if s.variable(n.X) == ch.Obj {
				receives = 2
			}
		case *ast.SelectStmt:
			if !inLoop(b.Block, n) {
				return true
			}
			arms := map[types.Object]*ast.CommClause{}
			for _, clause := range n.Body.List {
				comm := clause.(*ast.CommClause)
				if v := s.receivedIn(comm); v != nil {
					arms[v] = comm
				}
			}
			if mine := arms[ch.Obj]; mine != nil {
				signal := arms[end.Obj]
				left = signal != nil && leavesLoop(signal.Body) || told && leavesLoop(mine.Body)
			}
		}
		return true
	})
	return left && receives == 1
}

// receivedIn is the variable whose channel the arm receives from, or nil.
func (s *search) receivedIn(comm *ast.CommClause) types.Object {
	var e ast.Expr
	switch c := comm.Comm.(type) {
	case *ast.ExprStmt:
		e = c.X
	case *ast.AssignStmt:
		e = c.Rhs[0]
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		if v := s.variable(u.X); v != nil {
			return v
		}
	}
	return nil
}

// leavesLoop says whether a statement of the list returns, or breaks out of a loop by its
// label.
func leavesLoop(list []ast.Stmt) bool {
	found := false
	for _, stmt := range list {
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			case *ast.BranchStmt:
				found = found || n.Tok == token.BREAK && n.Label != nil
			}
			return !found
		})
	}
	return found
}
