package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// storesChanged finds values of a sync.Map that a LoadOrStore has given and a Store puts back changed:
//
//	v, _ := m.LoadOrStore(topic, []handler{})
//	m.Store(topic, append(v.([]handler), h))
//
// LoadOrStore looks as if it were safe; what another goroutine has stored in between is lost all the same.
// What is a pointer or map is the same object for all.
func (s *search) storesChanged() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, look := range s.order {
		if look.Kind != access.SyncMap || look.Method != "LoadOrStore" || look.via != nil || look.held.Any() || s.reachOf(look) < shared.Meant {
			continue
		}
		for _, store := range s.order {
			if store.Kind != access.SyncMap || store.Method != "Store" || store.via != nil || !store.sameInstance(look) || !s.leadsTo(look, store) {
				continue
			}
			value := s.givenTo(store)
			if value == nil || s.oneObject(value) || s.is(value, look.Access) {
				continue
			}
			if _, from := s.values.of(value)[look.Access]; !from {
				continue
			}
			if _, strong, _ := s.rivals(look.Var); !strong {
				return
			}
			c := s.direct("loadstore", "sync-map", look.Access, look.Pos(), store.Pos())
			c.Pattern = atomicity.LoadAndStore
			c.Roles = [2]string{"read", "stored"}
			c.Message = fmt.Sprintf("two goroutines can both read what %s holds before either stores it, and one update is lost: LoadOrStore and Store are two operations", types.ExprString(look.Cell))
			s.tell(c, look, store.Access)
			break
		}
	}
}

// oneObject says whether the value is a pointer or a map, which is changed in its place.
func (s *search) oneObject(value ast.Expr) bool {
	t := s.pkg.Info.TypeOf(value)
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Interface:
		return true
	}
	return false
}
