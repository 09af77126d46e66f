package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// leftRunning finds channels that a function closes while it has given them to another one, which has
// started goroutines that send on them, and has returned without waiting:
//
//	func (c *client) stream(ctx context.Context, out chan<- event) {
//		defer close(out)
//		for ctx.Err() == nil {
//			c.connect(ctx, out) // …: for range workers { go func() { for b := range raw { out <- parse(b) } }() }
//		}
//	}
//
// Those tell nobody that they have sent, so that nothing can wait for them: the next send panics, or one that
// waits. Nobody receives from the channel where it is closed: who counts what comes knows of the last send.
func (s *search) leftRunning() {
	told := map[*types.Var]bool{}
	for _, call := range s.closesAtPlace() {
		ch, ok := s.pkg.Info.Uses[identOf(call.Args[0])].(*types.Var)
		out := s.body.Outermost()
		if !ok || told[ch] || ch.IsField() || accesses.IsGlobal(ch) || !out.Encloses(ch.Pos()) || recoversIn(out.Block) {
			continue
		}
		var begun *leftSender
		s.inState(out, func() {
			if len(s.values.assigns[ch]) <= 1 && !s.receivesAt(out.Block, ch) {
				begun = s.leftSenderBefore(call, ch)
			}
		})
		if begun == nil || s.toldOfSend(begun.send) {
			continue
		}
		told[ch] = true
		closed := call.Args[0]
		a := &access.Access{Var: access.Var{Obj: ch}, Mode: atomicity.Read, Func: s.body.Fn, Expr: closed, Cell: closed}
		c := s.direct("testuse", "send-after-check", a, call.Pos(), begun.start.Pos())
		c.Name, c.EndName = ch.Name(), begun.of.Name()
		c.Roles = [2]string{"closed", "left to a goroutine that sends on it"}
		c.Message = ch.Name() + " is closed here while a goroutine that sends on it, which " + begun.in.Fn.Name + " has started, may still run: nothing waits for it, and a send on a closed channel panics"
		s.tell(c, &occurrence{Access: a, place: accesses.Place{Root: ch}}, a)
	}
}

// leftSender is a goroutine that a function has started which was given the channel.
type leftSender struct {
	in    *accesses.Body // the function
	of    *types.Var     // its name of the channel
	start ast.Node       // the go statement, or the call that comes to it
	send  *ast.SendStmt
}

// closesAtPlace are the calls in the body, deferred ones and those of deferred literals too, that close a channel
// which has a name.
func (s *search) closesAtPlace() (list []*ast.CallExpr) {
	var in func(n ast.Node)
	in = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.GoStmt:
				return false
			case *ast.DeferStmt:
				if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
					in(lit.Body)
				}
			case *ast.CallExpr:
				if s.closeOf(n) != nil && identOf(n.Args[0]) != nil {
					list = append(list, n)
				}
			}
			return true
		})
	}
	in(s.body.Block)
	return list
}

// receivesAt says whether something in the block receives from the channel, or goes through what comes from it.
func (s *search) receivesAt(block ast.Node, ch *types.Var) bool {
	found := false
	is := func(e ast.Expr) bool {
		id := identOf(e)
		return id != nil && s.pkg.Info.Uses[id] == types.Object(ch)
	}
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW && is(n.X)
		case *ast.RangeStmt:
			found = found || is(n.X)
		}
		return !found
	})
	return found
}

// leftSenderBefore is a goroutine that sends on the channel and that a call in the outermost body has left running
// whose function was given the channel; the call comes before the close, or the close is deferred or another
// goroutine's.
func (s *search) leftSenderBefore(closes *ast.CallExpr, ch *types.Var) (found *leftSender) {
	apart := false // from what is in line with it
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			apart = apart || n.Pos() <= closes.Pos() && closes.End() <= n.End()
		}
		return true
	})
	waits := s.waitsAnywhereBut(closes)
	if waits {
		return nil
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if _, lit := ast.Unparen(n.Call.Fun).(*ast.FuncLit); !lit {
				return false // closedApart knows
			}
		case *ast.CallExpr:
			if found == nil && (apart || n.Pos() < closes.Pos()) && s.closeOf(n) == nil {
				found = s.leavesRunning(n, ch, 0)
			}
		}
		return found == nil
	})
	return found
}

// waitsAnywhereBut says whether something in the body is called by a name of what waits.
func (s *search) waitsAnywhereBut(closes *ast.CallExpr) bool {
	return makesCall(s.body.Block, func(call *ast.CallExpr) bool { return call != closes && waitings.MatchString(calledName(call)) })
}

// leavesRunning is a goroutine that sends on the channel, which the function that is called has started, or one that
// this gives the channel to.
func (s *search) leavesRunning(call *ast.CallExpr, ch *types.Var, depth int) (found *leftSender) {
	to, p := s.startedWith(call, ch)
	if to == nil || depth > 2 || to == s.body {
		return nil
	}
	s.inState(to, func() {
		if s.receivesAt(to.Block, p) || s.waitsAnywhereBut(nil) || len(s.values.assigns[p]) > 0 {
			return
		}
		ast.Inspect(to.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.GoStmt:
				if send := s.sendsUntold(n.Call, p); send != nil && found == nil {
					found = &leftSender{to, p, n, send}
				}
				return false
			case *ast.CallExpr:
				if below := s.leavesRunning(n, p, depth+1); below != nil && found == nil {
					found = &leftSender{to, p, n, below.send}
				}
			}
			return found == nil
		})
	})
	return found
}

// sendsUntold is a send in a loop on the channel by what runs in the goroutine that the call begins, if that tells
// nobody of anything else.
func (s *search) sendsUntold(call *ast.CallExpr, ch *types.Var) *ast.SendStmt {
	b, of := s.pkg.ByFunc[s.locks.Callee(call)], ch
	var params *types.Tuple
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		b = s.pkg.ByNode[lit]
	}
	if b == nil || recoversIn(b.Block) {
		return nil
	}
	if _, params = s.startedBody(call); params != nil {
		for i, arg := range call.Args {
			if id := identOf(arg); id != nil && s.pkg.Info.Uses[id] == types.Object(ch) && i < params.Len() {
				of = params.At(i)
			}
		}
	}
	send, at := s.lastSent(b.Block, of, b, 0)
	if send == nil || !inLoop(b.Block, at) || s.tellsOthersOf(b, of, 0) {
		return nil
	}
	return send
}

// tellsOthersOf says whether the body may tell others that it has come to some place: it sends on another channel or closes
// one, counts, stores or locks something, or calls what it was given for that.
func (s *search) tellsOthersOf(b *accesses.Body, ch *types.Var, depth int) bool {
	tells := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			id := identOf(n.Chan)
			tells = tells || id == nil || s.pkg.Info.Uses[id] != types.Object(ch)
		case *ast.AssignStmt:
			tells = tells || slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return !s.isLocalIn(b, e) })
		case *ast.IncDecStmt:
			tells = tells || !s.isLocalIn(b, n.X)
		case *ast.GoStmt:
			tells = true
		case *ast.CallExpr:
			if _, isChan := s.values.underlying(n).(*types.Chan); isChan {
				return true // ctx.Done()
			}
			tells = tells || s.closeOf(n) != nil || tellingNames.MatchString(calledName(n)) || s.callsGiven(n) || s.endsOfOthers(b, n)
			if to, p := s.startedWith(n, ch); to != nil && to != b {
				tells = tells || depth > 2 || s.tellsOthersOf(to, p, depth+1)
			}
		}
		return !tells
	})
	return tells
}

// isLocalIn says whether the expression is a variable of the body, or nothing.
func (s *search) isLocalIn(b *accesses.Body, e ast.Expr) bool {
	id := identOf(e)
	if id == nil {
		return false
	}
	obj := s.pkg.Info.ObjectOf(id)
	return id.Name == "_" || obj != nil && b.Block.Pos() <= obj.Pos() && obj.Pos() < b.Block.End()
}

// callsGiven says whether the call is of a variable, without arguments, as done() and cancel() are.
func (s *search) callsGiven(call *ast.CallExpr) bool {
	if len(call.Args) > 0 {
		return false
	}
	_, ok := s.pkg.Info.Uses[identOf(call.Fun)].(*types.Var)
	if sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSel {
		_, ok = s.pkg.Info.Uses[sel.Sel].(*types.Var)
	}
	return ok
}

// endsOfOthers says whether the call ends something that is not the body's own.
func (s *search) endsOfOthers(b *accesses.Body, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && endings.MatchString(sel.Sel.Name) && !s.isLocalIn(b, sel.X)
}

// tellingNames are names of what tells somebody that one is done, or has come so far.
var tellingNames = pattern.New(`(?i)^(add|done|store|swap|compareandswap|set|put|delete|un?lock|rlock|runlock|do|signal|broadcast|cancel|release|notif|finish|leave|exit|remove|unregister|deregister|dec|inc)`)
