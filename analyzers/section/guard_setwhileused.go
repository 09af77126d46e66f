package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
)

// goesOnUnder says whether the method that sets a field of its object at o goes on with a call of another method of that
// object which accesses the field under a lock of the class: what is set is no setting that is made before others come.
//
//	func (b *Bar) ChangeMax(max int64) {
//		b.max = max
//		b.Add(0) // locks b.mu, and draws
//	}
func (s *search) goesOnUnder(o *occurrence, class string) bool {
	if s.body.Func == nil || !s.body.Func.Exported() || s.body.Func.Signature().Recv() == nil || o.place.Root != types.Object(s.body.Func.Signature().Recv()) {
		return false
	}
	under := map[*accesses.Body]bool{}
	for _, k := range s.ownAccesses(o.Var) {
		for _, l := range locksOf(k.held) {
			under[k.body] = under[k.body] || l.Root == k.place.Root && locks.ClassOf(l) == class && k.body != s.body
		}
	}
	var comesTo func(b *accesses.Body, after ast.Node, depth int) bool
	comesTo = func(b *accesses.Body, after ast.Node, depth int) bool {
		recv := types.Object(b.Func.Signature().Recv())
		return makesCall(b.Block, func(call *ast.CallExpr) bool {
			to := s.pkg.ByFunc[s.locks.Callee(call)]
			if to == nil || to == b || to.Func.Signature().Recv() == nil || after != nil && call.Pos() < after.End() || s.receiverOf(call) != (accesses.Place{Root: recv}) {
				return false
			}
			return under[to] || depth < 2 && comesTo(to, nil, depth+1)
		})
	}
	return comesTo(s.body, o.Stmt, 0)
}

// answersAlone says whether all that the function does is return something.
func answersAlone(b *accesses.Body) bool {
	if b.Func == nil || b.Parent != nil || len(b.Block.List) != 1 {
		return false
	}
	_, ok := b.Block.List[0].(*ast.ReturnStmt)
	return ok
}
