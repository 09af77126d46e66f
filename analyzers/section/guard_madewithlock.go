package section

import (
	"go/ast"
	"go/token"
	"go/types"
)

// madeWithLock says whether some composite literal of the package makes an object together with
// the lock that the field points to: T{mu: new(sync.Mutex)}. The lock is the object's own then.
func (s *search) madeWithLock(field *types.Var) bool {
	if is, known := s.lockMade[field]; known {
		return is
	}
	if s.lockMade == nil {
		s.lockMade = map[*types.Var]bool{}
	}
	made := false
	for _, f := range s.pkg.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok || made {
				return !made
			}
			if key, ok := kv.Key.(*ast.Ident); ok && s.pkg.Info.Uses[key] == field {
				made = s.makesNew(kv.Value)
			}
			return true
		})
	}
	s.lockMade[field] = made
	return made
}

// makesNew says whether e is new(T) or &T{…}.
func (s *search) makesNew(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return s.isBuiltin(e, "new")
	case *ast.UnaryExpr:
		_, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && e.Op == token.AND
	}
	return false
}
