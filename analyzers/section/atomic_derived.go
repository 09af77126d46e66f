package section

import (
	"fmt"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// derived finds atomic flags that are computed from other atomic variables of the
// same object and stored without a lock, by a function that is called wherever one of
// those has been changed: of two goroutines that have each changed one, the one that
// has computed earlier can store later.
func (s *search) derived() {
	fn := s.body.Func
	if fn == nil || s.shared.Single(s.body) || s.shared.Constructing(s.body) || s.shared.SetsGoing(s.body) {
		return
	}
	for _, w := range s.order {
		values := stored(w.Access)
		if w.Mode != atomicity.Write || w.Kind != access.Atomic || rmw(w.Access) || w.via != nil || w.held.Any() || !w.place.Valid() ||
			len(values) != 1 || !isBoolean(s.pkg.Info.TypeOf(values[0])) || s.reachOf(w) < shared.Meant {
			continue
		}
		var first *occurrence
		inputs := map[access.Var]bool{}
		for a, plain := range s.values.of(values[0]) {
			o := s.occ[a]
			if o == nil || !plain || o.via != nil || o.Kind != access.Atomic || o.Var == w.Var || o.place.Root != w.place.Root {
				continue
			}
			inputs[o.Var] = true
			if first == nil || o.Pos() < first.Pos() {
				first = o
			}
		}
		if first == nil || s.changers(fn, inputs) < 2 || s.setElsewhere(w.Var) {
			continue
		}
		c := s.direct("multivar", "multi-variable", first.Access, first.Pos(), w.Pos())
		c.EndName = s.pkg.Name(w.Var)
		c.Roles = [2]string{"looked at first", "stored from what was seen"}
		c.Message = fmt.Sprintf("of two goroutines that change what %s is computed from, the one that has looked at %s earlier can store later: %s then stays wrong",
			types.ExprString(w.Cell), types.ExprString(first.Cell), types.ExprString(w.Cell))
		s.tell(c, first, w.Access)
		return
	}
}

// changers counts the functions that change one of the variables and then call fn, in
// goroutines that may meet.
func (s *search) changers(fn *types.Func, inputs map[access.Var]bool) int {
	n, counted := 0, map[*accesses.Body]bool{}
	for _, b := range s.callersOf(fn) {
		if counted[b] || s.shared.Constructing(b) || s.shared.SetsGoing(b) || !s.shared.Launched(b) && !s.shared.Entered(b) && !s.shared.Spawned(b) {
			continue
		}
		for _, o := range s.stateOf(b).order {
			if inputs[o.Var] && o.Mode == atomicity.Write {
				counted[b] = true
				n++
				break
			}
		}
	}
	return n
}

// setElsewhere says whether some other function stores the variable too: then it is
// more than what is computed here.
func (s *search) setElsewhere(v access.Var) bool {
	for b := range s.shared.Use(v).Writers() {
		if b.Outermost() != s.body.Outermost() && !s.shared.Constructing(b) {
			return true
		}
	}
	return false
}

func isBoolean(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}
