package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// alwaysIntoNew says whether all who write entries of the map that the field v holds have put a new
// map there before, in the same critical section: one that was read stays as it is.
//
//	x.m = maps.Clone(x.m)
//	delete(x.m, k)
func (s *search) alwaysIntoNew(v access.Var) bool {
	found := false
	for _, k := range s.ownAccesses(v) {
		if k.Mode != atomicity.Write {
			continue
		}
		fresh := false
		s.inState(k.body, func() { fresh = s.intoNew(k.occurrence) })
		if !fresh {
			return false
		}
		found = true
	}
	return found
}

func (s *search) intoNew(k *occurrence) bool {
	for _, w := range s.order {
		values := stored(w.Access)
		if w.Mode == atomicity.Write && w.Kind == access.Cell && w.via == nil && w.place == k.place && w.place.Valid() && len(values) == 1 &&
			s.alwaysComesFrom(w, k) && s.oneHold(w, k) && s.isNewMap(values[0]) {
			return true
		}
	}
	return false
}

// isNewMap says whether the expression makes a map.
func (s *search) isNewMap(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && id.Name == "make" && s.pkg.Info.Types[id].IsBuiltin() {
			return true
		}
		fn := s.locks.Callee(e)
		return fn != nil && fn.FullName() == "maps.Clone"
	}
	return false
}
