package section

import (
	"go/ast"
	"go/types"
	"slices"
)

// goesOnWithout says whether the select is left by the clock, or by the end of a context, as well, and the function then
// goes on: what else it waits for may be still to come.
//
//	select {
//	case <-done: // the goroutines that send are at their end
//	case <-time.After(limit):
//		log.Print("they are not")
//	}
//	close(p.events)
func (s *search) goesOnWithout(sel *ast.SelectStmt) bool {
	return slices.ContainsFunc(sel.Body.List, func(clause ast.Stmt) bool {
		comm := clause.(*ast.CommClause)
		from := received(comm)
		return from != nil && s.comesByItself(from) && !leavesLoop(comm.Body) && !slices.ContainsFunc(comm.Body, func(st ast.Stmt) bool {
			return s.waitsInStmt(st, sel.End())
		})
	})
}

// comesByItself says whether what is received is the time, or the end of a context.
func (s *search) comesByItself(from ast.Expr) bool {
	if _, done := s.doneOf(from); done {
		return true
	}
	t := s.pkg.Info.TypeOf(from)
	if t == nil {
		return false
	}
	ch, ok := t.Underlying().(*types.Chan)
	return ok && isTime(ch.Elem())
}
