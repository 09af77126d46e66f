package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// freshOld finds atomic variables that are swapped from what they are at that moment, where what
// is put in is made of what was loaded earlier, or was allowed by it:
//
//	next := t.index.Load().clone()
//	next.insert(g)
//	if t.index.CompareAndSwap(t.index.Load(), next) { return }
//
// The comparison is then of the variable with itself and nearly always holds: what another
// goroutine has put in since the first load is overwritten, as by a plain Store. A read without
// sync/atomic is a load here, too: if now > x.last { atomic.CompareAndSwapInt64(&x.last, x.last, now) }.
func (s *search) freshOld() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) {
		return
	}
	for _, swap := range s.order {
		values := swapped(swap)
		if values == nil || s.reachOf(swap) == shared.Private || othersKeptOut(swap) {
			continue
		}
		fresh := s.loadedAs(values[0], swap)
		if fresh == nil {
			continue
		}
		for _, load := range s.order {
			if load.Kind != access.Atomic && load.Kind != access.Cell || load.Mode != atomicity.Read || rmw(load.Access) || load.Access == fresh.Access || !load.sameInstance(swap) ||
				s.pkg.Order(load.Pos()) > s.pkg.Order(fresh.Pos()) || !s.leadsTo(load, fresh) || !swap.held.Any() && !s.apart(load, swap.block, swap.index) {
				continue
			}
			_, made := s.values.of(values[1])[load.Access]
			if _, also := s.values.of(values[1])[fresh.Access]; also || !made && !s.decided(s.testsOf(load.Access, true), swap.block) {
				continue
			}
			f := finding{search: s, entry: load, trail: &trail{}}
			if ok, _, _ := s.rivals(swap.Var); !ok || f.singleWriter() || f.ownedType() {
				continue
			}
			c := s.direct("loadstore", "atomic-load-and-store", load.source(), load.Pos(), swap.Pos())
			c.Pattern = atomicity.LoadAndStore
			c.Via = load.via
			c.Roles = [2]string{"loaded", "swapped"}
			c.Message = fmt.Sprintf("%s compares %s with what it is at that moment: what other goroutines have put in since this load is overwritten; compare with what was loaded here",
				swap.Method, types.ExprString(swap.Cell))
			s.tell(c, load, swap.Access)
			break
		}
	}
}

// othersKeptOut says whether a lock is held at o other than for reading only.
func othersKeptOut(o *occurrence) bool {
	for _, mode := range o.held {
		if mode != locks.Shared {
			return true
		}
	}
	return false
}

// swapped are the old and the new value of a CompareAndSwap of this very body; or nil.
func swapped(o *occurrence) []ast.Expr {
	if o.Kind != access.Atomic || o.via != nil || o.Mode != atomicity.Write || !strings.HasPrefix(o.Method, "CompareAndSwap") && o.Method != "CAS" {
		return nil
	}
	values := stored(o.Access)
	if len(values) != 2 {
		return nil
	}
	return values
}

// loadedAs is the load of the swapped variable itself that e is, without a name for what it gives.
func (s *search) loadedAs(e ast.Expr, swap *occurrence) *occurrence {
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !s.pkg.Info.Types[call.Fun].IsType() {
			break
		}
		e = call.Args[0]
	}
	for _, o := range s.order {
		if (o.Kind == access.Atomic || o.Kind == access.Cell) && o.Mode == atomicity.Read && !rmw(o.Access) && o.sameInstance(swap) && (o.Expr == ast.Unparen(e) || o.via != nil && ast.Expr(o.via) == ast.Unparen(e)) {
			return o
		}
	}
	return nil
}
