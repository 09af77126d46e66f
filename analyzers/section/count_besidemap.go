package section

import (
	"fmt"
	"go/types"
	"slices"
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

// countedByLook finds atomic counts of the entries of a sync.Map that are moved where a Load has, or has not,
// found the key which the function then deletes or stores:
//
//	func (s *set) Put(k string, v int) { if _, ok := s.m.Load(k); !ok { s.n.Add(1) }; s.m.Store(k, v) }
//
// Two that put one key, or delete it, both count it.
func (s *search) countedByLook() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, look := range s.order {
		if look.Kind != access.SyncMap || look.Method != "Load" || look.via != nil || look.Key == nil || look.held.Any() || s.reachOf(look) == shared.Private {
			continue
		}
		tests := s.testsOf(look.Access, true)
		for _, act := range s.order {
			if act.Kind != access.SyncMap || act.Method != "Store" && act.Method != "Delete" || act.via != nil || act.held.Any() || !act.sameInstance(look) || !s.leadsTo(look, act) {
				continue
			}
			moved := s.countMoved(look, act, tests)
			if moved == nil || slices.ContainsFunc(s.found, func(c *Candidate) bool { return c.Sure && c.Pos == look.Pos() }) {
				continue
			}
			if _, strong, _ := s.rivals(look.Var); !strong {
				return
			}
			found, by := "find", "LoadAndDelete"
			if act.Method == "Store" {
				found, by = "miss", "LoadOrStore, or Swap,"
			}
			c := s.direct("testuse", "sync-map", look.Access, look.Pos(), moved.Pos())
			c.Roles = [2]string{"looked up", "counted"}
			c.EndName = s.pkg.Name(moved.Var)
			c.Message = fmt.Sprintf("two goroutines can both %s the key in %s and both count it in %s: Load and %s are two operations, %s tells which of them has changed anything",
				found, types.ExprString(look.Cell), types.ExprString(moved.Cell), act.Method, by)
			s.tell(c, look, moved.Access)
			return
		}
	}
}

// countMoved is the step of an atomic count, up for a Store and down for a Delete, by constants, that the tests
// alone decide about, of the object that the map belongs to as well.
func (s *search) countMoved(look, act *occurrence, tests []int) *occurrence {
	for _, moved := range s.order {
		step := s.step(moved)
		if moved.Kind != access.Atomic || moved.via != nil || moved.place.Root != look.place.Root || step == 0 || (step > 0) != (act.Method == "Store") || !alone(moved.Access) {
			continue
		}
		for _, test := range tests {
			if decides, _ := s.decides(test, moved.block); decides && test != moved.block && !s.decidesBesides(test, moved.block, look) {
				return moved
			}
		}
	}
	return nil
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
