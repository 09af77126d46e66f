package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// byClock says whether e is, or is made of, a time: by itself, by way of locals, or of a
// function of the package that asks the clock.
func (s *search) byClock(e ast.Expr, depth int) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		expr, ok := n.(ast.Expr)
		if !ok || found {
			return !found
		}
		if t := s.pkg.Info.TypeOf(expr); t != nil && isTime(t) {
			found = true
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(n)] {
				found = found || depth < 3 && s.byClock(d.value, depth+1)
			}
		case *ast.CallExpr:
			if fn := s.locks.Callee(n); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" {
				found = true
			} else if b := s.pkg.ByFunc[fn]; b != nil && depth < 3 {
				found = s.readsTheClock(b)
			}
		}
		return !found
	})
	return found
}

// isTime says whether the type is a time or a duration.
func isTime(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && tn.Pkg() != nil && tn.Pkg().Path() == "time" && (tn.Name() == "Time" || tn.Name() == "Duration")
}

// readsTheClock says whether the body itself calls functions of package time.
func (s *search) readsTheClock(b *accesses.Body) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			fn := s.locks.Callee(call)
			found = found || fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time"
		}
		return !found
	})
	return found
}

// isGivenKey says whether the key is, or is made of, what the function was given, and is
// neither drawn nor random: then the same may come again.
func (s *search) isGivenKey(key ast.Expr) bool { return s.isGiven(key, 0) }

func (s *search) isGiven(key ast.Expr, depth int) bool {
	if key == nil || depth > 4 {
		return false
	}
	given, fresh := false, false
	ast.Inspect(key, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if fn := s.locks.Callee(n); fn != nil && (drawing.MatchString(fn.Name()) || randomNames.MatchString(fn.Name()) || fn.Pkg() != nil && randomPackages.MatchString(fn.Pkg().Path())) {
				fresh = true
			}
		case *ast.Ident:
			v, ok := s.pkg.Info.ObjectOf(n).(*types.Var)
			if !ok || v.IsField() {
				return true
			}
			given = given || s.isParameterOf(v)
			for _, d := range s.values.assigns[v] {
				given = given || s.isGiven(d.value, depth+1)
			}
		}
		return true
	})
	return given && !fresh
}

// isParameterOf says whether the variable is a parameter of the body searched or of one
// around it, receivers aside.
func (s *search) isParameterOf(v *types.Var) bool {
	for b := s.body; b != nil; b = b.Parent {
		if hasParameter(b.Type(s.pkg.Info), v) {
			return true
		}
	}
	return false
}
