package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
)

// sortedOutside finds slices that are read under a lock and put in another order when it is released,
// or held for reading only, by way of a local that has the same array:
//
//	s.mu.RLock()
//	names := s.names
//	s.mu.RUnlock()
//	sort.Strings(names)
//
// Others walk through s.names meanwhile, or put it in order too.
func (s *search) sortedOutside() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.UsedByOne(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	reported := map[access.Var]bool{}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || len(call.Args) == 0 {
			return
		}
		fn := s.locks.Callee(call)
		if fn == nil || fn.Signature().Recv() != nil || s.pkg.ByFunc[fn] != nil || libraryMutation(fn)&(ofReceiver<<1) == 0 {
			return
		}
		id := identOf(s.referred(call.Args[0]))
		if id == nil || !isSlice(s.pkg.Info.TypeOf(id)) || len(s.values.assigns[s.pkg.Info.ObjectOf(id)]) != 1 {
			return
		}
		src := s.copiedFrom(id)
		if src == nil || src.Kind != access.Cell || src.via != nil || reported[src.Var] || s.reachOf(src) == shared.Private || s.detached(src, id) || s.replaced(id, src) {
			return
		}
		for _, l := range locksOf(src.held) {
			if l.Root != src.place.Root || held[l] == locks.Exclusive || held[l] == locks.Possible && held.Any() {
				continue
			}
			other, in := s.another(src.Var, s.body, func(k *occurrence) bool {
				b := s.pkg.ByNode[k.Func.Node]
				if !k.lockOf(locks.ClassOf(l)).Valid() || s.shared.Constructing(b) {
					return false
				}
				_, strong, _ := s.shared.RivalsAmong(s.body, src.Var, map[*accesses.Body]bool{b: true})
				return strong
			})
			if other == nil {
				return
			}
			reported[src.Var] = true
			c := s.direct("testuse", "guarded-escape", src.Access, src.Pos(), call.Pos())
			c.Roles = [2]string{"read under the lock", "changed in place"}
			c.Protected = l.String()
			c.Message = fmt.Sprintf("%s has the array of %s, which %s changes here without %s held for writing, while %s uses it under that lock: a copy has to be made first",
				id.Name, types.ExprString(src.Expr), types.ExprString(call.Fun), l, in.Name)
			s.tell(c, src, other.Access)
			return
		}
	})
}
