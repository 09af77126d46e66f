package section

import (
	"fmt"
	"go/ast"
	"iter"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// loadedAndEnded is replacedApart for atomic pointers: the old object is loaded, a new one
// stored whatever is there by then, and the old one ended. Of two that do so at once both
// end the same one.
//
//	old := x.cur.Load()
//	x.cur.Store(next)      // old := x.cur.Swap(next)
//	old.Close()
func (s *search) loadedAndEnded() {
	ended := s.endedLocals()
	if len(ended) == 0 || s.body.Func != nil && endings.MatchString(s.body.Func.Name()) {
		return // who ends it all leaves nothing behind that has to be ended
	}
	for load, store := range s.loadThenStores() {
		if !s.endsOne(ended, load) || s.unsets(stored(store.Access)[0]) || !s.writtenByOthers(load) {
			continue
		}
		s.tellOfSwap(load, store, fmt.Sprintf("two goroutines can both load the same one from %s and end it, and what one of them stores is replaced without an end: Swap gives each its own", load.place))
		return
	}
}

// loadThenStores are the pairs of a load of an atomic variable and a store of one value that
// follows it, whatever is there by then, in a function that several goroutines may run.
func (s *search) loadThenStores() iter.Seq2[*occurrence, *occurrence] {
	return func(yield func(load, store *occurrence) bool) {
		if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || s.shared.SetsGoing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
			return
		}
		for _, load := range s.order {
			if load.Kind != access.Atomic || load.Mode != atomicity.Read || load.Method != "Load" || load.via != nil || load.held.Any() || !load.place.Valid() || s.reachOf(load) < shared.Meant {
				continue
			}
			for _, store := range s.order {
				if store.Kind != access.Atomic || store.Method != "Store" || store.via != nil || store.later || !store.sameInstance(load) || !s.leadsTo(load, store) || s.leadsTo(store, load) || store.held.Any() {
					continue
				}
				if len(stored(store.Access)) == 1 && !s.decided(s.testsOf(load.Access, true), store.block) && !yield(load, store) {
					return
				}
			}
		}
	}
}

// writtenByOthers says whether goroutines are sure to write the variable at the same time.
func (s *search) writtenByOthers(o *occurrence) bool {
	_, strong, _ := s.shared.RivalsAmong(s.body, o.Var, map[*accesses.Body]bool{s.body: true})
	return strong
}

// tellOfSwap reports a load and a store that Swap would do in one.
func (s *search) tellOfSwap(load, store *occurrence, message string) {
	c := s.direct("loadstore", "atomic-load-and-store", load.Access, load.Pos(), store.Pos())
	c.Pattern = atomicity.LoadAndStore
	c.Roles = [2]string{"loaded", "replaced"}
	c.Message = message
	s.tell(c, load, store.Access)
}

// endedLocals are the expressions of which the body calls a method by which things end.
func (s *search) endedLocals() []ast.Expr {
	var list []ast.Expr
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && endings.MatchString(sel.Sel.Name) {
				if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
					list = append(list, id)
				}
			}
		}
		return true
	})
	return list
}

// endsOne says whether one of the expressions has the value that was loaded.
func (s *search) endsOne(ended []ast.Expr, load *occurrence) bool {
	for _, e := range ended {
		if _, mine := s.values.of(e)[load.Access]; mine {
			return true
		}
	}
	return false
}
