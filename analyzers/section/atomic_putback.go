package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// putBack finds stores that set an atomic count to what it was before: what other
// goroutines have added to it, and taken off, since it was loaded is lost.
func (s *search) putBack() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, store := range s.order {
		values := stored(store.Access)
		if store.Kind != access.Atomic || store.Mode != atomicity.Write || store.via != nil || !strings.HasPrefix(store.Method, "Store") ||
			len(values) != 1 || s.reachOf(store) == shared.Private {
			continue
		}
		if _, isLocal := ast.Unparen(values[0]).(*ast.Ident); !isLocal {
			continue
		}
		for _, load := range s.order {
			if load.Mode != atomicity.Read || load.Kind != access.Atomic || load.via != nil || !load.sameInstance(store) || !s.is(values[0], load.Access) ||
				!s.leadsTo(load, store) || s.oneHold(load, store) {
				continue
			}
			ok, strong, evidence := s.rivals(store.Var)
			f := finding{search: s, entry: load, trail: &trail{}}
			if !ok || !strong || !f.addedElsewhere() && !s.addedBetween(load, store) || f.ownedType() || f.singleWriter() {
				continue
			}
			c := s.direct("loadstore", "atomic-load-and-store", load.Access, load.Pos(), store.Pos())
			c.Pattern = atomicity.LoadAndStore
			c.Evidence = evidence
			c.Message = fmt.Sprintf("%s is set back to what it was before: what other goroutines have added to it in between is lost", types.ExprString(store.Cell))
			s.tell(c, load, store.Access)
			break
		}
	}
}

// addedBetween says whether the body itself adds to the variable on the way from one to the other, as another
// goroutine that runs it can do as well.
func (s *search) addedBetween(load, store *occurrence) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.sameInstance(load) && o.via == nil && adds(o.Access) && s.leadsTo(load, o) && s.leadsTo(o, store)
	})
}

// addedElsewhere says whether another function adds to the atomic variable.
func (f *finding) addedElsewhere() bool {
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == f.body.Outermost() || f.shared.Constructing(b) {
			continue
		}
		for _, o := range f.states[b].order {
			if o.Var == f.entry.Var && o.Mode == atomicity.Write && adds(o.Access) && o.via == nil {
				return true
			}
		}
	}
	return false
}
