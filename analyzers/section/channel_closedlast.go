package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// closesLast lists the closes that the body defers, by themselves or in a function literal that
// makes them whatever happens:
//
//	func (s *Server) Stop() error {
//		defer func() {
//			s.log.Print("stopped")
//			close(s.done)
//		}()
//		return s.ln.Close()
//	}
//
// Each one's block is that of the defer statement, for what decides whether it is made stands there.
func (s *search) closesLast() []closeCall {
	list := s.deferredCloses()
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		d, ok := ev.Node.(*ast.DeferStmt)
		if !ok || ev.Kind != accesses.OnDefer {
			return
		}
		lit, ok := ast.Unparen(d.Call.Fun).(*ast.FuncLit)
		if !ok || s.pkg.ByNode[lit] == nil {
			return
		}
		for _, stmt := range lit.Body.List {
			var call ast.Node
			switch stmt := stmt.(type) {
			case *ast.ExprStmt:
				call = ast.Unparen(stmt.X)
			case *ast.DeferStmt:
				call = stmt.Call
			case *ast.ReturnStmt, *ast.IfStmt, *ast.SelectStmt:
				return // it may be left before
			}
			s.inState(s.pkg.ByNode[lit], func() {
				if ch := s.closeOf(call); ch != nil {
					if o := s.occurrenceOf(ch); o != nil && o.place.Valid() && s.reachOf(o) != shared.Private {
						list = append(list, closeCall{call.(*ast.CallExpr), o, held, block})
					}
				}
			})
		}
	})
	return list
}
