package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// begunAnew finds atomic counters from which numbers are drawn, and which begin anew, by Store, when what was
// drawn is beyond a bound: two goroutines that are both beyond it both begin anew, and what was drawn in
// between is drawn again.
//
//	id := c.next.Add(1)
//	if id > max {
//		c.next.Store(0)
//		id = 0
//	}
//	send(id)
func (s *search) begunAnew() {
	if s.shared.Constructing(s.body) || s.shared.Single(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, add := range s.order {
		if add.Kind != access.Atomic || add.via != nil || !adds(add.Access) || add.held.Any() || s.step(add) <= 0 {
			continue
		}
		for _, store := range s.order {
			value := s.givenTo(store)
			if value == nil || store.via != nil || store.Kind != access.Atomic || !strings.HasPrefix(store.Method, "Store") || !store.sameInstance(add) ||
				!s.leadsTo(add, store) || s.reachOf(store) == shared.Private || !s.beyondBound(value, add, store) || !s.drawnBy(add, store) {
				continue
			}
			ok, strong, evidence := s.rivals(add.Var)
			f := finding{search: s, entry: add, trail: &trail{}}
			if !ok || !strong || f.ownedType() || f.singleWriter() {
				continue
			}
			c := s.direct("loadstore", "atomic-load-and-store", add.Access, add.Pos(), store.Pos())
			c.Pattern = atomicity.LoadAndStore
			c.Evidence = evidence
			c.Roles = [2]string{"added to", "set anew"}
			c.Message = fmt.Sprintf("two goroutines can both find %s beyond its bound and both set it anew, and the same numbers are drawn twice: use a CompareAndSwap, or a remainder of what %s returns",
				types.ExprString(store.Cell), add.Method)
			s.tell(c, add, store.Access)
			break
		}
	}
}

// beyondBound says whether the store, of a constant below the bound, is reached where what the addition has returned
// is beyond a bound that is constant too.
func (s *search) beyondBound(value ast.Expr, add, store *occurrence) bool {
	if s.pkg.Info.Types[value].Value == nil {
		return false
	}
	return slices.ContainsFunc(s.comparedOn(add, store), func(c comparison) bool {
		return s.pkg.Info.Types[c.limit].Value != nil && (c.op == token.GTR || c.op == token.GEQ)
	})
}

// drawnBy says whether what the addition has returned is a local that is named after the store too, or returned: a number
// of its own.
func (s *search) drawnBy(add, store *occurrence) bool {
	st, ok := add.Stmt.(*ast.AssignStmt)
	if !ok || len(st.Lhs) != 1 || len(st.Rhs) != 1 || s.pkg.Info.ObjectOf(identOf(st.Lhs[0])) == nil {
		return false
	}
	n := s.pkg.Info.ObjectOf(identOf(st.Lhs[0]))
	drawn := false
	ast.Inspect(s.body.Block, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok {
			drawn = drawn || id.Pos() > store.Stmt.End() && s.pkg.Info.Uses[id] == n
		}
		if st, ok := x.(*ast.AssignStmt); ok && st.Tok == token.ASSIGN && len(st.Lhs) == 1 && s.pkg.Info.Uses[identOf(st.Lhs[0])] == n {
			ast.Inspect(st.Rhs[0], func(x ast.Node) bool {
				id, ok := x.(*ast.Ident)
				drawn = drawn || ok && id.Pos() > store.Stmt.End() && s.pkg.Info.Uses[id] == n
				return true
			})
			return false
		}
		return !drawn
	})
	return drawn
}
