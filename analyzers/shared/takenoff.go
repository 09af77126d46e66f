package shared

import (
	"go/ast"
	"go/types"
)

// takenOff says whether the assignment, the i-th of those of a body, takes an object out of the variable that
// held it, which the statement after it sets to nil: the object is the taker's.
//
//	s.mu.Lock(); batch := s.batch; s.batch = nil; s.mu.Unlock()
func (r *Result) takenOff(assigning []ast.Node, i int) bool {
	taken, ok := assigning[i].(*ast.AssignStmt)
	if !ok || i+1 == len(assigning) {
		return false
	}
	next, ok := assigning[i+1].(*ast.AssignStmt)
	if !ok || len(taken.Lhs) != 1 || len(taken.Rhs) != 1 || len(next.Lhs) != 1 || len(next.Rhs) != 1 || !r.isNil(next.Rhs[0]) {
		return false
	}
	if _, pointer := under(r.pkg.Info.TypeOf(taken.Rhs[0])).(*types.Pointer); !pointer {
		return false
	}
	from, unset := r.pkg.PlaceOf(taken.Rhs[0]), r.pkg.PlaceOf(next.Lhs[0])
	fset := r.pkg.Fset
	return from.Valid() && from.Path != "" && from == unset && fset.Position(next.Pos()).Line-fset.Position(taken.End()).Line <= 1
}

// under is the underlying type, nil of nil.
func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}
