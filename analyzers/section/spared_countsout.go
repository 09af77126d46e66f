package section

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/atomicity"
)

// countsOut says whether the end takes back by -- what a ++ before the test has added, or the
// other way round: who waits is counted while it waits.
//
//	w.waiting++
//	if w.waiting == w.running { w.wait.Broadcast(); return }
//	w.wait.Wait()
//	w.waiting--
func (f *finding) countsOut(end *hit) bool {
	back, ok := end.Stmt.(*ast.IncDecStmt)
	if !ok || end.via != nil {
		return false
	}
	for _, o := range f.order {
		there, ok := o.Stmt.(*ast.IncDecStmt)
		if ok && o.via == nil && o.Var == f.entry.Var && o.Mode == atomicity.Write && (there.Tok == token.INC) != (back.Tok == token.INC) && o.place == end.place && o.block == f.entry.block && o.index < f.entry.index {
			return true
		}
	}
	return false
}
