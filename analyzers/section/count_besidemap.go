package section

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// countedUnasked finds atomic counts of the entries of a sync.Map that are taken down whenever a key
// is to be deleted, whether or not it was there, where another function that moves the count asks the
// map by the same operation whether anything has changed:
//
//	func (s *set) Drop(k string) { s.n.Add(-1); s.m.Delete(k) }
//
//	func (s *set) Take(k string) { if _, ok := s.m.LoadAndDelete(k); ok { s.n.Add(-1) } }
//
// Two that drop one key take the count down twice.
func (s *search) countedUnasked() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.body.Func == nil || !s.body.Func.Exported() {
		return
	}
	for _, del := range s.order {
		if del.Kind != access.SyncMap || del.Method != "Delete" || del.via != nil || del.Key == nil || !s.isGivenKey(del.Key) || s.anyDecides(del.block) || del.held.Any() || s.reachOf(del) == shared.Private {
			continue
		}
		for _, down := range s.order {
			if down.Kind != access.Atomic || down.via != nil || down.place.Root != del.place.Root || s.step(down) >= 0 || s.anyDecides(down.block) {
				continue
			}
			in := s.countsByAnswer(del.Var, down.Var)
			if in == "" {
				continue
			}
			c := s.direct("testuse", "sync-map", down.Access, down.Pos(), del.Pos())
			c.Roles = [2]string{"taken down", "deleted"}
			c.Message = fmt.Sprintf("%s is taken down here for a key that need not be in %s any more: two that delete the same one both do so; LoadAndDelete tells which of them has deleted it, as the operation in %s does",
				types.ExprString(down.Cell), types.ExprString(del.Cell), in)
			s.tell(c, down, del.Access)
			return
		}
	}
}

// countsByAnswer is the name of a function that moves the count where an operation on the map has
// answered that it has changed something, or "".
func (s *search) countsByAnswer(m, count access.Var) string {
	name := ""
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || name != "" {
			continue
		}
		s.inState(b, func() {
			for _, op := range s.order {
				if op.Kind != access.SyncMap || op.Var != m || op.via != nil || !strings.HasSuffix(op.Method, "AndDelete") && op.Method != "LoadOrStore" {
					continue
				}
				tests := s.testsOf(op.Access, false)
				for _, moved := range s.order {
					if moved.Kind == access.Atomic && moved.Var == count && moved.Mode == atomicity.Write && moved.place.Root == op.place.Root && s.decided(tests, moved.block) {
						name = b.Fn.Name
					}
				}
			}
		})
	}
	return name
}
