package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// endedByMessage is [search.stranded] where the only receiver leaves because it is sent a message, by
// a function that lowers the flag:
//
//	p.mu.Lock()                         p.mu.Lock()
//	if p.running {                      if p.running {
//		p.mu.Unlock()                       p.stop <- struct{}{}
//		p.ask <- request                    p.running = false
//	}                                   }
//
// The flag is tested in one critical section, or in none, and the send is made in another one: in
// between, the receiver can leave, whatever the lock that the second one is of. Where the receiver
// closes the channel as it leaves, the send panics.
func (s *search) endedByMessage() {
	s.eachSend(func(send *ast.SendStmt, ch *occurrence, held locks.Set) (done bool) {
		if s.inSelect(send) || s.strandedOn[ch.Var] || s.reachOf(ch) == shared.Private {
			return false
		}
		for _, flag := range s.order {
			if flag.Mode != atomicity.Read || flag.via != nil || flag.place.Root != ch.place.Root || flag.Kind != access.Atomic && !flag.held.Any() || s.pkg.Order(flag.Pos()) > s.pkg.Order(send.Pos()) ||
				!s.decided(s.testsOf(flag.Access, true), ch.block) || !s.apart(flag, ch.block, ch.index) || s.askedInHold(flag, ch, held) {
				continue
			}
			in, receiver := s.lowersAndTells(flag.Var, ch.Var)
			if in == nil {
				continue
			}
			closes := false
			for b := range s.closersOf(ch.Var) {
				if b != receiver {
					return false
				}
				closes = true
			}
			s.strandedOn[ch.Var] = true
			d := s.direct("testuse", "send-after-check", flag.Access, flag.Pos(), ch.Pos())
			d.EndName = s.pkg.Name(ch.Var)
			d.Roles = [2]string{"looked at", "sent on"}
			d.Message = fmt.Sprintf("%s can have told who receives from %s to leave between the look at %s and the send: it waits for ever, or what is sent is lost",
				in.Fn.Name, types.ExprString(ch.Expr), types.ExprString(flag.Cell))
			if closes {
				d.Message = fmt.Sprintf("%s can have told who receives from %s to leave between the look at %s and the send, which then panics: the receiver closes it",
					in.Fn.Name, types.ExprString(ch.Expr), types.ExprString(flag.Cell))
			}
			s.tell(d, flag, ch.Access)
			return true
		}
		return false
	})
}

// askedInHold says whether the body looks at the flag again in the critical section of the send.
func (s *search) askedInHold(flag, ch *occurrence, held locks.Set) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		if r == flag || r.Mode != atomicity.Read || r.via != nil || r.Var != flag.Var || len(s.testsOf(r.Access, false)) == 0 {
			return false
		}
		return slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool { return r.held.Holds(l) }) && !s.apart(r, ch.block, ch.index)
	})
}

// lowersAndTells is a function that writes the flag and sends on another channel, for which the only
// receiver from ch leaves, and that receiver.
func (s *search) lowersAndTells(flag, ch access.Var) (in, receiver *accesses.Body) {
	for _, b := range s.pkg.Bodies {
		if s.receivesFrom(b, ch) {
			if receiver != nil || !s.shared.Spawned(b) {
				return nil, nil
			}
			receiver = b
		}
	}
	if receiver == nil {
		return nil, nil
	}
	for _, b := range s.pkg.Bodies {
		if b == s.body || b == receiver || s.shared.Constructing(b) || s.shared.SetsGoing(b) || !slices.ContainsFunc(s.states[b].order, func(w *occurrence) bool {
			return w.Mode == atomicity.Write && w.Var == flag
		}) {
			continue
		}
		for _, send := range sendsIn(b.Block) {
			if end := s.variable(send.Chan); end != nil && types.Object(end) != types.Object(ch.Obj) && end.IsField() && s.leftByMessage(receiver, ch.Obj, end) {
				return b, receiver
			}
		}
	}
	return nil, nil
}

// leftByMessage says whether the body receives from the channel in one place, in a select in a loop,
// and leaves for good in the arm that receives from end. What it takes out of the channel in that arm
// does not count.
func (s *search) leftByMessage(b *accesses.Body, ch, end types.Object) bool {
	receives, left := 0, false
	var signal *ast.CommClause
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CommClause:
			if n == signal {
				return false
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && s.variable(n.X) == ch {
				receives++
			}
		case *ast.RangeStmt:
			if s.variable(n.X) == ch {
				receives = 2
			}
		case *ast.SelectStmt:
			if !inLoop(b.Block, n) {
				return true
			}
			mine := false
			var arm *ast.CommClause
			for _, clause := range n.Body.List {
				comm := clause.(*ast.CommClause)
				switch s.receivedIn(comm) {
				case ch:
					mine = true
				case end:
					arm = comm
				}
			}
			if mine && arm != nil && len(arm.Body) > 0 {
				if _, returns := arm.Body[len(arm.Body)-1].(*ast.ReturnStmt); returns {
					signal, left = arm, true
				}
			}
		}
		return true
	})
	return left && receives == 1
}
