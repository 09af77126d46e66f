package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// leftLoop finds functions that close a channel at their end, and leave the loop which receives
// from it whenever something else ends, while goroutines that were started there, or in a function
// which is given the channel, send on it without anybody counting them:
//
//	jobs := make(chan job)
//	defer close(jobs)
//	go func() { jobs <- first }()
//	for {
//		select {
//		case e, ok := <-src.Events:
//			if !ok { return nil }
//			go func() { jobs <- job{e} }()
//		case j := <-jobs:
//			…
//		}
//	}
//
// The goroutines that come later panic.
func (s *search) leftLoop() {
	for _, events := range s.body.Events {
		for _, ev := range events {
			d, ok := ev.Node.(*ast.DeferStmt)
			if !ok || ev.Kind != accesses.OnDefer || s.closeOf(d.Call) == nil {
				continue
			}
			id := identOf(d.Call.Args[0])
			if id == nil {
				continue
			}
			ch, isVar := s.pkg.Info.Uses[id].(*types.Var)
			if !isVar || !s.ownChannelOf(ch) {
				continue
			}
			send, _ := s.sentBeside(s.body, ch, 0)
			if send == nil || !s.leavesLoop(s.body, ch, 0) {
				continue
			}
			s.tellOfLeft(d.Call.Args[0], ch, send, "%s is closed here when the loop that receives from it is left, and goroutines which were started there do not know: the send of one that comes later panics")
			return
		}
	}
}

// passedTo are the functions of the package that the body gives the channel to, with their
// parameters for it; what goroutines are given is another matter.
func (s *search) passedTo(b *accesses.Body, ch *types.Var) map[*accesses.Body]*types.Var {
	list := map[*accesses.Body]*types.Var{}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.FuncLit:
			return false
		case *ast.CallExpr:
			fn := s.locks.Callee(n)
			to := s.pkg.ByFunc[fn]
			if to == nil || to == b || fn.Signature().Variadic() {
				return true
			}
			for i, arg := range n.Args {
				if id := identOf(arg); id != nil && s.pkg.Info.Uses[id] == types.Object(ch) && i < fn.Signature().Params().Len() {
					list[to] = fn.Signature().Params().At(i)
				}
			}
		}
		return true
	})
	return list
}

// sentBeside is a send on the channel by a goroutine, as the literal that it runs, which the body
// starts or one that is given the channel.
func (s *search) sentBeside(b *accesses.Body, ch *types.Var, depth int) (send *ast.SendStmt, in *accesses.Body) {
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if start, ok := n.(*ast.GoStmt); ok && send == nil {
			if lit, ok := ast.Unparen(start.Call.Fun).(*ast.FuncLit); ok && !recoversIn(lit) {
				send, in = s.sendOn(lit.Body, ch), b
			} else if to, p := s.startedWith(start.Call, ch); to != nil && depth <= 1 {
				send, in = s.sendOn(to.Block, p), to
			} else {
				send, in = s.sentByGiven(start.Call, ch), b
			}
		}
		return send == nil
	})
	if send != nil || depth > 1 {
		return send, in
	}
	for _, to := range s.pkg.Bodies { // in this order
		if p := s.passedTo(b, ch)[to]; p != nil {
			if send, in = s.sentBeside(to, p, depth+1); send != nil {
				return send, in
			}
		}
	}
	return nil, nil
}

// sentByGiven is a send on the channel in a literal that the goroutine is given to call, as by
// go read(conn, func(m message) { ch <- m }), nil if it recovers.
func (s *search) sentByGiven(call *ast.CallExpr, ch *types.Var) *ast.SendStmt {
	if to := s.pkg.ByFunc[s.locks.Callee(call)]; to != nil && recoversIn(to.Block) {
		return nil
	}
	for _, arg := range call.Args {
		if lit, ok := ast.Unparen(arg).(*ast.FuncLit); ok && !recoversIn(lit) {
			if send := s.sendOn(lit.Body, ch); send != nil {
				return send
			}
		}
	}
	return nil
}

// sendOn is the first send on the channel in the block, nil if there is none.
func (s *search) sendOn(block *ast.BlockStmt, ch *types.Var) *ast.SendStmt {
	for _, x := range sendsIn(block) {
		if id := identOf(x.Chan); id != nil && s.pkg.Info.Uses[id] == types.Object(ch) {
			return x
		}
	}
	return nil
}

// startedWith is the function of the package that a go statement calls and gives the channel to, with its parameter
// for it; nil for one that recovers.
func (s *search) startedWith(call *ast.CallExpr, ch *types.Var) (*accesses.Body, *types.Var) {
	fn := s.locks.Callee(call)
	to := s.pkg.ByFunc[fn]
	if to == nil || fn.Signature().Variadic() || recoversIn(to.Block) {
		return nil, nil
	}
	for i, arg := range call.Args {
		if id := identOf(arg); id != nil && s.pkg.Info.Uses[id] == types.Object(ch) && i < fn.Signature().Params().Len() {
			return to, fn.Signature().Params().At(i)
		}
	}
	return nil, nil
}

// leavesLoop says whether the body, or one that it gives the channel to, receives from the channel in
// an arm of a select in an endless loop, returns in another arm, and neither it nor what it is given
// to waits for anything else.
func (s *search) leavesLoop(b *accesses.Body, ch *types.Var, depth int) bool {
	leaves, waits := false, false
	var loops []*ast.ForStmt
	inArm := map[ast.Node]bool{}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if n.Cond == nil {
				loops = append(loops, n)
			}
		case *ast.SelectStmt:
			takes, returns := false, false
			for _, clause := range n.Body.List {
				comm := clause.(*ast.CommClause)
				from := received(comm)
				if from != nil {
					inArm[from] = true
				}
				if id := identOf(from); id != nil && s.pkg.Info.Uses[id] == types.Object(ch) {
					takes = true
				} else if from != nil {
					returns = returns || returnsIn(comm)
				}
			}
			for _, l := range loops {
				leaves = leaves || takes && returns && l.Pos() <= n.Pos() && n.End() <= l.End()
			}
		case *ast.UnaryExpr:
			waits = waits || n.Op == token.ARROW && !inArm[n.X]
		case *ast.RangeStmt:
			_, isChan := s.values.underlying(n.X).(*types.Chan)
			waits = waits || isChan
		case *ast.CallExpr:
			name := types.ExprString(n.Fun)
			waits = waits || waitings.MatchString(name[strings.LastIndexByte(name, '.')+1:])
		}
		return !waits
	})
	if waits || depth > 1 {
		return false
	}
	for to, p := range s.passedTo(b, ch) {
		leaves = leaves || s.leavesLoop(to, p, depth+1)
	}
	return leaves
}

// returnsIn says whether the arm returns somewhere, other than in a literal.
func returnsIn(comm *ast.CommClause) bool {
	found := false
	for _, st := range comm.Body {
		ast.Inspect(st, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			}
			return !found
		})
	}
	return found
}
