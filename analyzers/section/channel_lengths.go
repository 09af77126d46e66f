package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lengths finds sends and receives that rely on len(ch), asked there or by a method: others
// send and receive too, and what was a free place then blocks now.
func (s *search) lengths() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for test, conds := range s.body.Conds {
		for _, cond := range conds {
			ast.Inspect(cond, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if ch := s.lenOfChannel(call); ch != nil && !s.leavesSlack(cond, call) {
					if looked := s.occurrenceOf(ch); looked != nil {
						s.length(test, looked, looked.place, nil)
					}
				} else if looked, on := s.asksLength(call); looked != nil {
					s.length(test, looked, on, call)
				}
				return true
			})
		}
	}
}

// leavesSlack says whether the condition compares the length with a bound less some places,
// len(ch) >= most-24: those who come in between find room there.
func (s *search) leavesSlack(cond ast.Expr, length *ast.CallExpr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if test, ok := n.(*ast.BinaryExpr); ok && ast.Unparen(test.X) == length {
			bound, ok := ast.Unparen(test.Y).(*ast.BinaryExpr)
			if !ok || bound.Op != token.SUB {
				return false
			}
			if less := s.pkg.Info.Types[bound.Y].Value; less != nil {
				n, known := constant.Int64Val(constant.ToInt(less))
				found = found || known && n > 1
			}
		}
		return !found
	})
	return found
}

// lenOfChannel is ch if the call is len(ch); or nil.
func (s *search) lenOfChannel(call *ast.CallExpr) ast.Expr {
	id := identOf(call.Fun)
	if id == nil || id.Name != "len" || len(call.Args) != 1 {
		return nil
	}
	if t := s.pkg.Info.TypeOf(call.Args[0]); t != nil {
		if _, ok := t.Underlying().(*types.Chan); ok {
			return call.Args[0]
		}
	}
	return nil
}

// asksLength is the read of a channel whose length a method of the package returns, or what it
// makes of it: func (c *client) full() bool { return len(c.box) == cap(c.box) }; and the
// channel in terms of the caller.
func (s *search) asksLength(call *ast.CallExpr) (looked *occurrence, on accesses.Place) {
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	if b == nil || len(b.Block.List) != 1 {
		return nil, on
	}
	ret, ok := b.Block.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil, on
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	ast.Inspect(ret.Results[0], func(n ast.Node) bool {
		if inner, ok := n.(*ast.CallExpr); ok && looked == nil {
			if ch := s.lenOfChannel(inner); ch != nil {
				looked = s.occurrenceOf(ch)
			}
		}
		return looked == nil
	})
	if looked == nil {
		return nil, on
	}
	on = s.locks.ToCaller(call, fn, looked.place)
	if !on.Valid() {
		return nil, on
	}
	return looked, on
}

// length reports what the test of the length of a channel leads to; it was asked by the call,
// if that is one.
func (s *search) length(test int, looked *occurrence, on accesses.Place, via *ast.CallExpr) {
	if inTime(looked.Var.Obj) || !on.Valid() || s.madeUnbuffered(looked.Var.Obj) {
		return
	}
	if v, ok := on.Root.(*types.Var); ok && on.Path == "" && !accesses.IsGlobal(v) {
		return // a local channel: the function knows who has the other end
	}
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		var ch ast.Expr
		switch n := ev.Node.(type) {
		case *ast.SendStmt:
			ch = n.Chan
		case *ast.UnaryExpr:
			ch = n.X
		}
		if ch == nil || ev.Kind != accesses.OnSend && ev.Kind != accesses.OnReceive || s.inSelect(ev.Node) {
			return
		}
		act := s.occurrenceOf(ch)
		if act == nil || act.place != on || act.Mode != atomicity.Read {
			return
		}
		if ok, edge := s.decides(test, block); !ok || s.panics(s.body.CFG.Blocks[test].Succs[1-edge]) {
			return // or an assertion
		}
		if s.users(act.Var, ev.Kind) < 2 && !s.shared.InLoop(s.body) && !(ev.Kind == accesses.OnSend && !held.Any() && s.offers(act)) && !s.sentByTwo(act, held) && !(ev.Kind == accesses.OnReceive && held.Any() && s.returnedToAll(act.Var)) {
			return // nobody else takes anything out, or puts anything in
		}
		if held.Any() && !s.othersPass(act, ev.Kind, held) {
			return
		}
		if s.reachOf(act) < shared.Meant && !s.offers(act) && !(held.Any() && s.reachOf(act) > shared.Private && s.heldByOwner(held)) {
			return
		}
		c := s.direct("testuse", "test-and-use", looked.Access, looked.Pos(), act.Pos())
		if via != nil {
			c.Via, c.Within, c.Pos = via, looked.Pos(), via.Pos()
		}
		c.Ends = []*access.Access{act.Access}
		c.Sure = true
		c.Message = fmt.Sprintf("another goroutine can use %s after its length was looked at, and then this blocks: select with a default case does both in one step", types.ExprString(ch))
		s.found = append(s.found, c)
	})
}

// sentByTwo says whether the body uses the channel under a lock for reading, which shows that
// several goroutines come here at once.
func (s *search) sentByTwo(act *occurrence, held locks.Set) bool {
	if held.Excludes() || !held.Any() {
		return false
	}
	return s.shared.Entered(s.body) || s.shared.Launched(s.body)
}

// othersPass says whether somebody uses the channel in the same way without a lock that is held
// here exclusively: under a lock for reading all do.
func (s *search) othersPass(act *occurrence, kind accesses.EventKind, held locks.Set) bool {
	if !held.Excludes() || kind == accesses.OnReceive && s.returnedToAll(act.Var) {
		return true
	}
	found := false
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || found {
			continue
		}
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, other locks.Set) {
			var ch ast.Expr
			switch n := ev.Node.(type) {
			case *ast.SendStmt:
				ch = n.Chan
			case *ast.UnaryExpr:
				ch = n.X
			}
			if ev.Kind == kind && ch != nil && s.variable(ch) == act.Var.Obj {
				found = found || !other.Any()
			}
		})
	}
	return found
}

// heldByOwner says whether one of the locks is a field of the object whose method this is, or of
// the package: who takes it shares what lies below.
func (s *search) heldByOwner(held locks.Set) bool {
	for _, l := range held.Places() {
		if accesses.IsGlobal(l.Root) || s.body.Outermost().Func != nil && l.Root == types.Object(s.body.Outermost().Func.Signature().Recv()) {
			return true
		}
	}
	return false
}

// returnedToAll says whether an exported function returns the channel, for others to receive from.
func (s *search) returnedToAll(ch access.Var) bool {
	for _, b := range s.pkg.Bodies {
		if b.Func == nil || !b.Func.Exported() {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				ret, ok := ev.Node.(*ast.ReturnStmt)
				if !ok || ev.Kind != accesses.OnReturn {
					continue
				}
				for _, e := range s.pkg.PlainReturn(ret).Results {
					t, isChan := s.pkg.Info.TypeOf(e).(*types.Chan)
					if s.variable(e) == ch.Obj && ch.Obj != nil && (!isChan || t.Dir() != types.SendOnly) {
						return true
					}
				}
			}
		}
	}
	return false
}
