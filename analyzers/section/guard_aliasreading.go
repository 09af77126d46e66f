package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// aliasReading finds entries of a map that are written by way of a local, with the lock under which
// the map was taken from its field held for reading only:
//
//	d.mu.RLock(); defer d.mu.RUnlock()
//	active := d.active
//	active[key] = item
//
// Two goroutines can do so at the same time, which is a concurrent map write.
func (s *search) aliasReading() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.SetsGoing(s.body) || s.shared.Constructing(s.body) {
		return
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.MapElement || w.via != nil || w.lit || w.place.Root == nil || !s.onlyReading(w) || s.saidHere(w) {
			continue
		}
		local := s.aliasOf(w)
		if local == nil {
			continue
		}
		list := s.values.assigns[local]
		if len(list) != 1 {
			continue
		}
		for _, a := range s.values.reads[ast.Unparen(list[0].value)] {
			r := s.occ[a]
			if r == nil || r.Kind != access.Cell || r.Mode != atomicity.Read || r.via != nil || !r.Var.Obj.IsField() || s.reachOf(r) < shared.Meant || !s.oneHold(r, w) {
				continue
			}
			lock := r.readingLock()
			if !lock.Valid() || !w.held.Holds(lock) || !s.heldForWriting(locks.ClassOf(lock)) {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, r.Var, map[*accesses.Body]bool{s.body: true}); !strong {
				continue
			}
			c := s.direct("discipline", "write-under-rlock", r.Access, r.Pos(), w.Pos())
			c.Roles = [2]string{"taken", "written"}
			c.Message = fmt.Sprintf("an entry of %s is written by way of %s with %s held for reading only: two goroutines can do so at the same time, which is a concurrent map write",
				r.place, local.Name(), lock)
			s.tell(c, r, r.Access)
			return
		}
	}
}

// aliasOf is the local that holds the map of which w writes an entry, or nil.
func (s *search) aliasOf(w *occurrence) types.Object {
	x, ok := ast.Unparen(w.Expr).(*ast.IndexExpr)
	if !ok {
		return nil
	}
	id := identOf(x.X)
	if id == nil {
		return nil
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || accesses.IsGlobal(v) {
		return nil
	}
	return v
}
