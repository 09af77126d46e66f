package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// servesAhead is closesAhead for channels in fields, and methods: a loop starts one for all that comes, and the function closes at its own
// end what those send on, without waiting for them:
//
//	defer func() { for _, l := range m.listeners { close(l.conns) } }()
//	for {
//		c, err := m.root.Accept()
//		if err != nil { return err }
//		go m.serve(c) // …: l.conns <- c
//	}
func (s *search) servesAhead() {
	if s.shared.Constructing(s.body) || s.waitsAnywhere() {
		return
	}
	var ends []*ast.CallExpr
	for _, st := range s.body.Block.List {
		if d, ok := st.(*ast.DeferStmt); ok {
			ends = append(ends, s.closesIn(d.Call)...)
		}
	}
	if len(ends) == 0 {
		return
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			start, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo || endlessLoopAround(s.body.Block, start.Pos()) == nil {
				continue
			}
			to := s.pkg.ByFunc[s.locks.Callee(start.Call)]
			if to == nil || to == s.body || recoversIn(to.Block) || locksIn(to.Block) {
				continue
			}
			for _, send := range sendsIn(to.Block) {
				v := s.variable(send.Chan)
				for _, end := range ends {
					if v == nil || !v.IsField() || s.variable(end.Args[0]) != v {
						continue
					}
					a := &access.Access{Var: access.Var{Obj: v}, Mode: atomicity.Read, Func: to.Fn, Expr: send.Chan, Cell: send.Chan}
					c := s.direct("testuse", "send-after-check", a, send.Pos(), end.Pos())
					c.Roles = [2]string{"sent on", "closed"}
					c.Message = fmt.Sprintf("%s can be closed by %s before or during this send, which then panics: it has started the goroutine, and closes the channel at its own end without waiting for it", types.ExprString(send.Chan), s.body.Fn.Name)
					s.tell(c, &occurrence{Access: a}, a)
					return
				}
			}
		}
	}
}

// closesIn are the closes that the deferred call makes, whatever the case.
func (s *search) closesIn(deferred *ast.CallExpr) (list []*ast.CallExpr) {
	ast.Inspect(deferred, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.SelectStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if s.closeOf(n) != nil {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

// endlessLoopAround is the loop without a condition around the place in the block; or nil.
func endlessLoopAround(block *ast.BlockStmt, at token.Pos) (loop *ast.ForStmt) {
	ast.Inspect(block, func(n ast.Node) bool {
		if l, ok := n.(*ast.ForStmt); ok && l.Cond == nil && l.Body.Pos() <= at && at < l.Body.End() {
			loop = l
		}
		return true
	})
	return loop
}
