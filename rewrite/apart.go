package rewrite

import (
	"go/ast"
	"go/token"

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
