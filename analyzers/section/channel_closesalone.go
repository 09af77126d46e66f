package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// closesAlone says whether c is the one close of a channel that a function around has made for itself, and that
// nothing else is done with than to receive from it, in literals that are each run once, by go or defer:
//
//	done := make(chan struct{})
//	go func() {
//		defer func() { select { case <-done: default: close(done) } }()
//		<-r.Context().Done()
//	}()
func (s *search) closesAlone(c closeCall) bool {
	root, ok := c.channel.place.Root.(*types.Var)
	if !ok || c.channel.place.Path != "" || root.IsField() || accesses.IsGlobal(root) {
		return false
	}
	of := s.body
	for of != nil && !declaredIn(of, root) {
		of = of.Parent
	}
	if of == nil || of == s.body {
		return false
	}
	for b := s.body; b != of; b = b.Parent {
		if b.Parent == nil || !runsOnce(b.Parent.Block, b.Node) {
			return false
		}
	}
	return s.onlyReceived(of.Block, root, c.call)
}

// runsOnce says whether the literal is started or deferred where it stands in the block, in no loop. It may be a copy, whose
// place in the source is another one.
func runsOnce(block *ast.BlockStmt, lit ast.Node) bool {
	once := false
	ast.Inspect(block, func(n ast.Node) bool {
		var call *ast.CallExpr
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.GoStmt:
			call = n.Call
		case *ast.DeferStmt:
			call = n.Call
		}
		once = once || call != nil && ast.Unparen(call.Fun) == lit
		return !once
	})
	return once
}

// onlyReceived says whether all that the block does with the channel is to make it, to receive from it, and the one close.
func (s *search) onlyReceived(block *ast.BlockStmt, ch *types.Var, closes *ast.CallExpr) bool {
	only := true
	ast.PreorderStack(block, nil, func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || s.pkg.Info.Uses[id] != types.Object(ch) || len(stack) == 0 {
			return only
		}
		switch around := stack[len(stack)-1].(type) {
		case *ast.UnaryExpr:
			only = only && around.Op == token.ARROW
		case *ast.RangeStmt:
			only = only && around.X == ast.Expr(id)
		case *ast.CallExpr:
			only = only && around == closes
		default:
			only = false
		}
		return only
	})
	return only
}
