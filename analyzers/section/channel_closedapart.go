package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// closedApart finds channels of a function on which a goroutine that it starts sends, and which another
// goroutine, or what a timer or the end of a context calls, closes without waiting for anything that the
// first one does after it has sent:
//
//	go func() { for n := range numbers { out <- n } }()
//	go func() { <-ctx.Done(); close(out) }()
//
// or which the function itself closes at its end, where it has waited for nothing but the first of several:
//
//	defer close(out)
//	for _, f := range list { go func() { out <- f() }() }
//	return <-out
//
// or has waited for a group of goroutines that the sender is none of:
//
//	go func() { <-ctx.Done(); errs <- ctx.Err() }()
//	group.Wait()
//	close(errs)
//
// The goroutine that is still sending, or comes to send, panics; with an arm for ctx.Done() beside the send as well.
func (s *search) closedApart() {
	var senders []apartSender
	closers := []apartCloser{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
				closers = append(closers, apartCloser{start: n, lit: lit})
			}
			senders = append(senders, s.apartSenders(n, n.Call)...)
			return false
		case *ast.CallExpr:
			if calledName(n) == "Go" {
				senders = append(senders, s.apartSenders(n, n)...)
			}
			if calledName(n) == "AfterFunc" && len(n.Args) == 2 && s.locks.Callee(n) != nil && s.pkg.ByFunc[s.locks.Callee(n)] == nil {
				if lit, ok := ast.Unparen(n.Args[1]).(*ast.FuncLit); ok {
					closers = append(closers, apartCloser{start: n, lit: lit})
				}
			}
		}
		return true
	})
	for _, by := range senders {
		if s.toldOfSend(by.send) {
			continue
		}
		if closed := s.closedWhileSent(by, closers); closed != nil {
			s.tellOfLeft(closed, by.ch, by.send, "%s is closed here while the goroutine that sends on it may still run: nothing waits for it, and a send on a closed channel panics")
			return
		}
	}
}

// apartSender is a goroutine that the function starts and that sends on a channel of the function.
type apartSender struct {
	start ast.Node       // the go statement, or the call of a method Go
	call  *ast.CallExpr  // what runs in the goroutine, or is given the literal that does
	ch    *types.Var     // the variable of the function
	send  *ast.SendStmt  // the last one
	block *ast.BlockStmt // of the goroutine
	at    ast.Node       // in the block: the send, or the call that comes to it
	of    *types.Var     // the channel as the goroutine calls it
	given bool           // the literal is given to what runs in the goroutine
}

// apartCloser is a literal that runs in a goroutine of its own.
type apartCloser struct {
	start ast.Node
	lit   *ast.FuncLit
}

// apartSenders are the channels of the function on which the goroutine sends that the node starts with the call.
func (s *search) apartSenders(start ast.Node, call *ast.CallExpr) (list []apartSender) {
	own := func(e ast.Expr) *types.Var {
		if id := identOf(e); id != nil {
			if ch, ok := s.pkg.Info.Uses[id].(*types.Var); ok && s.ownChannelOf(ch) {
				return ch
			}
		}
		return nil
	}
	literal := func(lit *ast.FuncLit, given bool) {
		if recoversIn(lit) {
			return
		}
		seen := map[*types.Var]bool{}
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			ch := own(id)
			if ch == nil || seen[ch] || lit.Pos() <= ch.Pos() && ch.Pos() < lit.End() {
				return true
			}
			seen[ch] = true
			if send, at := s.lastSent(lit.Body, ch, s.body, 0); send != nil {
				list = append(list, apartSender{start, call, ch, send, lit.Body, at, ch, given})
			}
			return true
		})
	}
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		literal(lit, false)
	}
	_, isGo := start.(*ast.GoStmt)
	to := s.pkg.ByFunc[s.locks.Callee(call)]
	for _, arg := range call.Args {
		if lit, ok := ast.Unparen(arg).(*ast.FuncLit); ok && (to == nil || !recoversIn(to.Block)) {
			literal(lit, isGo)
		}
		if ch := own(arg); ch != nil && isGo && to != nil {
			if _, p := s.startedWith(call, ch); p != nil {
				if send, at := s.lastSent(to.Block, p, to, 0); send != nil {
					list = append(list, apartSender{start, call, ch, send, to.Block, at, p, false})
				}
			}
		}
	}
	return list
}

// lastSent is the last send on the channel in the block of the body, or in a function of the package that the
// block calls and gives the channel to; with the node of the block that comes to it.
func (s *search) lastSent(block *ast.BlockStmt, ch *types.Var, b *accesses.Body, depth int) (send *ast.SendStmt, at ast.Node) {
	if x := s.lastSendOn(block, ch); x != nil {
		return x, x
	}
	if depth > 1 {
		return nil, nil
	}
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if to, p := s.startedWith(n, ch); to != nil && to != b {
				if x, _ := s.lastSent(to.Block, p, to, depth+1); x != nil {
					send, at = x, n
				}
			}
		}
		return true
	})
	return send, at
}

// closedWhileSent is the channel in the call that closes it without waiting for the sender, nil if there is none.
func (s *search) closedWhileSent(by apartSender, closers []apartCloser) ast.Expr {
	told := sync.OnceValue(func() apartTold { return s.toldAfter(by, true) })
	apart := func(w *apartWait, c apartCloser) bool {
		sender, ok := ast.Unparen(by.call.Fun).(*ast.FuncLit)
		return !(ok && s.keptApart(sender, by.send, c.lit)) && !w.waits(c.lit.Body) && !w.waitsBetween(by.start, c.start)
	}
	for _, c := range closers {
		if c.start == by.start || !s.eitherAfterOther(by.start, c.start) {
			continue
		}
		for _, call := range s.closesOf(by.ch, c.lit.Body) {
			if apart(s.untilClose(by, told(), call, c.lit.Body), c) {
				return call.close.Args[0]
			}
		}
	}
	for _, call := range s.closesOf(by.ch, s.body.Block) {
		if !call.deferred && (call.close.Pos() < by.start.End() || inLoop(s.body.Block, call.close) || !s.eitherAfterOther(by.start, call.close)) {
			continue
		}
		w := s.untilClose(by, told(), call, s.body.Block)
		if !inLoop(s.body.Block, by.start) {
			w.told = s.toldAfter(by, false)
			if w.from = by.start.End(); len(s.closesOf(by.of, by.block)) == 0 && !w.waits(s.body.Block) {
				return call.close.Args[0]
			}
			continue
		}
		w.few = true
		if s.receivesFew(by, w.until) && !w.waits(s.body.Block) {
			return call.close.Args[0]
		}
	}
	return nil
}

// apartClose is a call that closes the channel, in a body or in a literal that it defers.
type apartClose struct {
	close    *ast.CallExpr
	deferred bool
}

// closesOf are the calls in the block that close the channel, without those of literals that are not deferred.
func (s *search) closesOf(ch *types.Var, block *ast.BlockStmt) (list []apartClose) {
	var in func(n ast.Node, deferred bool)
	in = func(n ast.Node, deferred bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.GoStmt:
				return false
			case *ast.DeferStmt:
				if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
					in(lit.Body, true)
				} else if id := identOf(s.closeOf(n.Call)); id != nil && s.pkg.Info.Uses[id] == types.Object(ch) {
					list = append(list, apartClose{n.Call, true})
				}
				return false
			case *ast.CallExpr:
				if id := identOf(s.closeOf(n)); id != nil && s.pkg.Info.Uses[id] == types.Object(ch) {
					list = append(list, apartClose{n, deferred})
				}
			}
			return true
		})
	}
	in(block, false)
	return list
}

// eitherAfterOther says whether control can come from the one node to the other, in this or the other order.
func (s *search) eitherAfterOther(a, b ast.Node) bool {
	var from, to *cfg.Block
	for _, block := range s.body.CFG.Blocks {
		for _, n := range block.Nodes {
			if n.Pos() <= a.Pos() && a.End() <= n.End() {
				from = block
			}
			if n.Pos() <= b.Pos() && b.End() <= n.End() {
				to = block
			}
		}
	}
	return from != nil && to != nil && (from == to || s.reaches(from, -1)[to.Index] || s.reaches(to, -1)[from.Index])
}

// receivesFew says whether the function, which starts the sender in a loop, receives from its channel once, or
// leaves the loop in which it receives when one of several things has come; and not in a loop that counts.
func (s *search) receivesFew(by apartSender, until token.Pos) bool {
	few := false
	all := true
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if id := identOf(n.X); id != nil && s.pkg.Info.Uses[id] == types.Object(by.ch) {
				all = false
			}
		case *ast.UnaryExpr:
			if id := identOf(n.X); n.Op == token.ARROW && id != nil && s.pkg.Info.Uses[id] == types.Object(by.ch) && n.Pos() < until {
				few = true
				all = all && (!inLoop(s.body.Block, n) || s.leftEarly(n))
			}
		}
		return true
	})
	return few && all
}

// leftEarly says whether the receive is in a loop that returns in an arm of the select which the receive is in.
func (s *search) leftEarly(receive *ast.UnaryExpr) bool {
	early := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok || !(sel.Pos() <= receive.Pos() && receive.End() <= sel.End()) {
			return !early
		}
		for _, clause := range sel.Body.List {
			comm := clause.(*ast.CommClause)
			if k := len(comm.Body); k > 0 {
				_, returns := comm.Body[k-1].(*ast.ReturnStmt)
				early = early || returns
			}
		}
		return !early
	})
	return early
}
