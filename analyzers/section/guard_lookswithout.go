package section

import (
	"go/ast"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// looksWithout says whether o is a look into a map without any lock by what a goroutine runs, or
// others can call: a rule of those who change the map is enough for it, since a look meanwhile
// ends the program, even if others look without the lock as well. What a package has registered when
// it begins is looked up without the lock by all.
func (s *search) looksWithout(o *occurrence) bool {
	return o.Mode == atomicity.Read && (o.Kind == access.MapElement || o.Kind == access.MapWhole) && len(o.held) == 0 && !s.onlyLength(o) &&
		(o.Var.Obj.IsField() || s.readElsewhere(o, s.writtenUnder(o))) && s.reachOf(o) >= shared.Meant && (s.shared.Launched(s.body) || s.shared.Entered(s.body))
}

// bothChangedUnder is the class of the lock that all hold who change the entries of the map, in two
// places at least, though nobody holds it to look into it; or "".
func (s *search) bothChangedUnder(o *occurrence) string {
	if o.Kind != access.MapElement {
		return ""
	}
	for _, class := range slices.Sorted(maps.Keys(s.shared.Use(o.Var).LockClasses())) {
		if _, writes := s.keptByWriters(class, o.Var); writes > 1 {
			return class
		}
	}
	return ""
}

// onlyLength says whether the map is only asked how many entries it has.
func (s *search) onlyLength(o *occurrence) bool {
	call, ok := ast.Unparen(o.Expr).(*ast.CallExpr)
	return ok && len(call.Args) == 1
}
