package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// loops says whether the function, with the literals that stay, has a loop, and whether one
// of them is a goroutine's main loop: one that cannot be left, or in which it waits. Then
// the function may never be begun again.
func (p *pass) loops(f *function) (loops, waits bool) {
	to := newTargets(bodyOf(f.node))
	ast.Inspect(bodyOf(f.node), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return f.stay[n]
		case *ast.ForStmt:
			loops = true
			waits = waits || p.waits(n, f) || p.isEndless(n, to)
		case *ast.RangeStmt:
			loops = true
			waits = waits || p.isChannel(n.X) || p.waits(n, f)
		case *ast.BranchStmt:
			if target := to.of(n); n.Tok == token.GOTO && target != nil && target.Pos() < n.Pos() {
				loops = true
				waits = waits || p.waits(bodyOf(f.node), f)
			}
		}
		return true
	})
	return loops, waits
}

// isChannel says whether the expression is a channel, or may be one.
func (p *pass) isChannel(e ast.Expr) bool {
	t := p.info.TypeOf(e)
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// isEndless says whether the loop cannot be left but by a panic.
func (p *pass) isEndless(loop *ast.ForStmt, to targets) bool {
	if loop.Cond != nil {
		always := p.info.Types[loop.Cond].Value
		if always == nil || !constant.BoolVal(always) {
			return false
		}
	}
	endless := true
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			endless = false
		case *ast.BranchStmt:
			target := to.of(n)
			switch {
			case n.Tok == token.FALLTHROUGH:
			case target == nil, n.Tok == token.BREAK && target == ast.Node(loop):
				endless = false
			case target.Pos() < loop.Pos() || loop.End() <= target.Pos():
				endless = false
			}
		}
		return endless
	})
	return endless
}

// waits says whether the loop waits for others itself: at a channel, in time.Sleep, for
// a condition or a connection.
func (p *pass) waits(loop ast.Node, f *function) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return f.stay[n]
		case *ast.RangeStmt:
			found = found || p.isChannel(n.X)
		case *ast.SelectStmt, *ast.SendStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			callee := typeutil.StaticCallee(p.info, n)
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && callee == nil {
				callee, _ = p.info.Uses[sel.Sel].(*types.Func) // of an interface
			}
			found = found || callee != nil && isWaiting(callee)
		}
		return !found
	})
	return found
}

// isWaiting says whether a goroutine that calls f in a loop lives by waiting there.
func isWaiting(f *types.Func) bool {
	switch f.FullName() {
	case "time.Sleep", "(*sync.Cond).Wait":
		return true
	}
	return f.Signature().Recv() != nil && strings.HasPrefix(f.Name(), "Accept")
}
