package section

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// swappedOut is ownPlaces for a sync.Map: functions that put a value of their own in the
// place of another one, which they get back and see to, and delete the key at their end,
// whoever's value is there by then:
//
//	old, loaded := m.Swap(k, c)
//	if loaded { old.(*conn).Close() }
//	defer m.Delete(k)                // CompareAndDelete(k, c) leaves that of the next
func (s *search) swappedOut() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, put := range s.order {
		if put.Kind != access.SyncMap || put.Mode != atomicity.Write || put.Method != "Swap" || put.via != nil || !s.stableKey(put) || !s.seesToOld(put) || s.reachOf(put) == shared.Private {
			continue
		}
		for _, del := range s.order {
			if del.Kind != access.SyncMap || del.Method != "Delete" || del.Var != put.Var || del.place != put.place || !del.place.Valid() || del.key != put.key || !s.leadsTo(put, del) || s.leadsTo(del, put) {
				continue
			}
			if _, deferred := del.Stmt.(*ast.DeferStmt); !deferred && !s.loopsBetween(put, del) || s.asksBetween(put, del) {
				continue
			}
			_, strong, evidence := s.rivals(put.Var)
			if !strong {
				continue
			}
			c := s.direct("testuse", "sync-map", put.source(), put.Pos(), del.Pos())
			c.Evidence = evidence
			c.Roles = [2]string{"put in the place of another", "deleted"}
			c.Message = fmt.Sprintf("the next call puts its own in the place of this one, as this one does with what was in %s, and loses it where this one deletes the key: CompareAndDelete leaves it",
				s.pkg.Name(put.Var))
			s.tell(c, put, del.Access)
			return
		}
	}
}

// seesToOld says whether the function keeps what the call has found there.
func (s *search) seesToOld(put *occurrence) bool {
	call, ok := ast.Unparen(put.Expr).(*ast.CallExpr)
	if !ok {
		return false
	}
	return slices.ContainsFunc(s.values.taken[call], func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name != "_"
	})
}

// loopsBetween says whether a loop lies between the two, so that the second comes when
// something has come to an end.
func (s *search) loopsBetween(from, to *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || s.before(from, n) && s.pkg.Order(n.End()) <= s.pkg.Order(to.Pos())
		}
		return !found
	})
	return found
}

// asksBetween says whether the map is looked at between the two, or the deletion depends on
// a part of what was put there, which others can mark.
func (s *search) asksBetween(put, del *occurrence) bool {
	if slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Var == put.Var && o != put && o != del && s.before(put, o) && s.before(o, del) && o.Expr != put.Expr
	}) {
		return true
	}
	asked := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if cond, ok := n.(*ast.IfStmt); ok && s.before(cond, del) && s.pkg.Order(del.Pos()) < s.pkg.Order(cond.End()) && s.pkg.Order(put.End()) < s.pkg.Order(cond.Pos()) {
			asked = true
		}
		return !asked
	})
	return asked
}
