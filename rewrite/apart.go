package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/atomicity/access"
	"golang.org/x/tools/go/cfg"
)

// isApart says whether the section may end in another activation than the one in which it
// began: in a function literal, or where the function, called again meanwhile, comes to
// an end without having passed the entry. heal's short ways know what the activation at
// hand has open, and would take such a section to last until its own activation ends it.
func isApart(entry *access.Access, ends []*access.Access) bool {
	body := bodyOf(entry.Scope)
	if body == nil {
		return true
	}
	flow := cfg.New(body, func(*ast.CallExpr) bool { return true })
	at, entryNode := blockOf(flow, entry.Expr.Pos())
	if at == nil || mayBeSkipped(at.Nodes[entryNode], entry.Expr) {
		return true
	}
	avoiding := reachableWithout(flow, at)
	for _, e := range ends {
		if e == entry {
			continue
		}
		if e.Scope != entry.Scope {
			return true
		}
		b, node := blockOf(flow, e.Expr.Pos())
		if b == nil || avoiding[b] || b == at && node < entryNode {
			return true
		}
	}
	return false
}

// rangesOverFunc says whether the function, or a literal in it, ranges over a function. The body
// of such a loop runs in the activation around it while the iterator's is not over, which may
// be one that rests, with an end in it or below. What heal knows of turns (opened.tells) goes
// by when a section began: that such an activation was there before would not be seen.
func rangesOverFunc(info *types.Info, fn ast.Node) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok {
			switch t := types.Unalias(info.TypeOf(loop.X)).(type) {
			case *types.TypeParam:
				found = true
			default:
				_, isFunc := t.Underlying().(*types.Signature)
				found = found || isFunc
			}
		}
		return !found
	})
	return found
}

// isOnce says whether the function is in a declaration that is in the program once.
func (p *plan) isOnce(fn ast.Node) bool {
	for n := range p.once {
		if n.Pos() <= fn.Pos() && fn.End() <= n.End() {
			return true
		}
	}
	return false
}

// mayBeSkipped says whether e is in the second operand of && or || within the node, which
// the graph has as one.
func mayBeSkipped(node ast.Node, e ast.Expr) (skipped bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			skipped = skipped || contains(b.Y, e)
		}
		return !skipped
	})
	return skipped
}

// blockOf is the block with the innermost node around pos, and the number of the node.
func blockOf(flow *cfg.CFG, pos token.Pos) (found *cfg.Block, number int) {
	var smallest token.Pos
	for _, b := range flow.Blocks {
		for i, n := range b.Nodes {
			if n.Pos() <= pos && pos < n.End() && (found == nil || n.End()-n.Pos() < smallest) {
				found, number, smallest = b, i, n.End()-n.Pos()
			}
		}
	}
	return found, number
}

// reachableWithout are the blocks that control can come to without passing the block.
func reachableWithout(flow *cfg.CFG, without *cfg.Block) map[*cfg.Block]bool {
	seen := map[*cfg.Block]bool{}
	var visit func(b *cfg.Block)
	visit = func(b *cfg.Block) {
		if b == without || seen[b] {
			return
		}
		seen[b] = true
		for _, next := range b.Succs {
			visit(next)
		}
	}
	visit(flow.Blocks[0])
	return seen
}
