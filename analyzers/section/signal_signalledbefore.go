package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// signalledBefore finds waits for a sync.Cond of the function's own that nothing is tested before,
// where a goroutine gives the signal with no lock held, or with one that is not held here since it
// was started: the signal can come before the wait, which then never ends.
//
//	ready.L.Lock()
//	go serve(func() { ready.Signal() })
//	ready.Wait()
func (s *search) signalledBefore() {
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		cond, method := s.condCall(ev)
		v, ok := cond.Root.(*types.Var)
		if !ok || method != "Wait" || cond.Path != "" || v.Pos() < s.body.Block.Pos() || s.body.Block.End() <= v.Pos() || !s.waitsWhatever(v, ev.Node) {
			return
		}
		signal, begun := s.unlockedSignal(v)
		if signal == nil || s.pkg.Order(begun.Pos()) > s.pkg.Order(ev.Pos()) {
			return
		}
		c := s.direct("testuse", "lost-wakeup", &access.Access{Var: access.Var{Obj: v}, Func: s.body.Fn}, ev.Pos(), signal.Pos())
		c.Roles = [2]string{"waited for", "signalled"}
		c.Sure = true
		c.Message = fmt.Sprintf("%s can be signalled before %s, since nothing holds the goroutine that signals it back until then: the wait does not end", v.Name(), types.ExprString(ev.Node.(*ast.CallExpr)))
		s.found = append(s.found, c)
	})
}

// waitsWhatever says whether nothing is asked between the declaration of v and the wait.
func (s *search) waitsWhatever(v *types.Var, wait ast.Node) bool {
	asked := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt, *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			within := n.Pos() <= wait.Pos() && wait.End() <= n.End()
			asked = asked || within && !(n.Pos() <= v.Pos() && v.Pos() < n.End())
		}
		return !asked
	})
	return !asked
}

// unlockedSignal is the one call that signals v, in a goroutine that the body begins while it does not
// hold the lock which the signal is given under, if it is given under one; and where that is begun.
// It is nil if there is another one, or v is used for anything else.
func (s *search) unlockedSignal(v *types.Var) (signal ast.Node, begun ast.Node) {
	uses := 0
	for id, obj := range s.pkg.Info.Uses {
		if obj == types.Object(v) && s.body.Block.Pos() <= id.Pos() && id.End() <= s.body.Block.End() {
			uses++
		}
	}
	known, other := 0, false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if l, isSel := ast.Unparen(sel.X).(*ast.SelectorExpr); isSel && l.Sel.Name == "L" && s.pkg.Info.Uses[identOf(l.X)] == types.Object(v) {
			known++
			return false
		}
		if s.pkg.Info.Uses[identOf(sel.X)] != types.Object(v) {
			return true
		}
		known++
		if name := sel.Sel.Name; name == "Signal" || name == "Broadcast" {
			other = other || signal != nil
			signal = sel
		}
		return true
	})
	if signal == nil || other || known != uses {
		return nil, nil
	}
	if begun = s.begunAround(signal); begun == nil || !s.signalsFreely(signal, begun) {
		return nil, nil
	}
	return signal, begun
}

// begunAround is the go statement, or the call that runs its argument in a goroutine or later, around
// the signal.
func (s *search) begunAround(signal ast.Node) (begun ast.Node) {
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || signal.Pos() < n.Pos() || n.End() < signal.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			begun = n
		case *ast.CallExpr:
			if fn := s.locks.Callee(n); begun == nil && n.Fun != signal && s.locks.Launches(fn) {
				begun = n
			}
		}
		return begun == nil
	})
	return begun
}

// signalsFreely says whether the signal is given with no lock held, or with one that the body does
// not hold when it begins the goroutine; and not in a loop, again and again.
func (s *search) signalsFreely(signal, begun ast.Node) bool {
	var in *accesses.Body
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() && b.Block.Pos() <= signal.Pos() && signal.End() <= b.Block.End() && (in == nil || in.Block.Pos() < b.Block.Pos()) {
			in = b
		}
	}
	if in == nil {
		return false
	}
	again, locked := false, false
	ast.Inspect(in.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			again = again || begun.Pos() < n.Pos() && n.Pos() <= signal.Pos() && signal.End() <= n.End()
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && in != s.body && (sel.Sel.Name == "Lock" || sel.Sel.Name == "RLock") {
				locked = true
			}
		}
		return !again
	})
	if again || !locked {
		return !again
	}
	held := false
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, set locks.Set) {
		held = held || ev.Node != nil && ev.Node.Pos() >= begun.Pos() && ev.Node.End() <= begun.End() && set.Any()
	})
	return !held
}
