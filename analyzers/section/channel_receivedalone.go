package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// receivedAlone says whether the object came to the body over a channel, and all who send on that
// send what they have just made, once: one goroutine alone receives each.
//
//	for t := range h.tasks { … } // elsewhere: t := &task{…}; h.tasks <- t
func (s *search) receivedAlone(root types.Object) bool {
	v, ok := root.(*types.Var)
	if !ok || accesses.IsGlobal(v) {
		return false
	}
	ch, n := (*types.Var)(nil), 0
	ast.Inspect(s.body.Outermost().Block, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.RangeStmt:
			if id := identOf(node.Key); id != nil && s.pkg.Info.ObjectOf(id) == root {
				n++
				ch = s.pkg.PlaceOf(node.X).Field()
			}
		case *ast.AssignStmt:
			for i, l := range node.Lhs {
				if id := identOf(l); id == nil || s.pkg.Info.ObjectOf(id) != root {
					continue
				}
				n++
				if u, ok := ast.Unparen(node.Rhs[0]).(*ast.UnaryExpr); ok && u.Op == token.ARROW && i == 0 {
					ch = s.pkg.PlaceOf(u.X).Field()
				}
			}
		}
		return true
	})
	if ch == nil || n != 1 || ch.Exported() {
		return false
	}
	if _, isChan := ch.Type().Underlying().(*types.Chan); !isChan {
		return false
	}
	sent := false
	for _, b := range s.pkg.Bodies {
		for _, events := range b.Events {
			for _, ev := range events {
				send, ok := ev.Node.(*ast.SendStmt)
				if !ok || ev.Kind != accesses.OnSend || s.pkg.PlaceOf(send.Chan).Field() != ch {
					continue
				}
				if sent = true; !s.sentOnce(b, send) {
					return false
				}
			}
		}
	}
	return sent
}

// sentOnce says whether what is sent is a new object, or a local that holds one since the same turn of
// each loop around it, and that nothing else is sent or kept by.
func (s *search) sentOnce(b *accesses.Body, send *ast.SendStmt) bool {
	if s.isNewObject(send.Value, 0) {
		return true
	}
	id := identOf(send.Value)
	if id == nil {
		return false
	}
	local := s.pkg.Info.ObjectOf(id)
	list := s.stateOf(b).values.assigns[local]
	if len(list) != 1 || !s.isNewObject(list[0].value, 0) || local.Pos() < b.Block.Pos() {
		return false
	}
	once := true
	ast.PreorderStack(b.Block, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			once = once && !(n.Pos() <= send.Pos() && send.End() <= n.End() && local.Pos() < n.Pos())
		case *ast.Ident:
			if s.pkg.Info.Uses[n] != local || n.Pos() == id.Pos() {
				break
			}
			_, part := stack[len(stack)-1].(*ast.SelectorExpr)
			_, returned := stack[len(stack)-1].(*ast.ReturnStmt)
			once = once && (part || returned)
		}
		return once
	})
	return once
}
