package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// foundIndex finds elements of a slice that are used, under its lock, at an index which was
// found in an earlier critical section, while another function moves the elements: i :=
// x.find(id); x.mu.Lock(); x.items[i].n++. Another one may stand there by then, or none.
func (s *search) foundIndex() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) {
		return
	}
	for _, use := range s.order {
		x, ok := use.Expr.(*ast.IndexExpr)
		if !ok || use.Kind != access.Element || use.via != nil || use.later || use.place.Root == nil || ownHold(use) != locks.Exclusive && use.Mode == atomicity.Write || !use.held.Any() {
			continue
		}
		id, isLocal := ast.Unparen(x.Index).(*ast.Ident)
		if !isLocal || s.checksIndex(s.pkg.Info.ObjectOf(id), use) {
			continue
		}
		for a := range s.values.of(x.Index) {
			found := s.occ[a]
			if found == nil || found.Mode != atomicity.Read || found.Var.Obj != use.Var.Obj || found.place.Root != use.place.Root || !found.held.Any() || !s.before(found, use) ||
				s.oneHold(found, use) || s.reachOf(found) == shared.Private || s.reachOf(use) < shared.Meant {
				continue
			}
			if s.foundApart(found, use) {
				return
			}
		}
	}
}

// checksIndex says whether a test between a lock that is taken and the use looks at the
// index again.
func (s *search) checksIndex(index types.Object, use *occurrence) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		if o.Mode != atomicity.Read || o.Var.Obj != use.Var.Obj || o == use || !s.oneHold(o, use) {
			return false
		}
		for _, conds := range s.body.Conds {
			for _, c := range conds {
				if !s.before(o, c) && s.pkg.Order(o.Pos()) < s.pkg.Order(c.End()) && s.mentions(c, index) {
					return true
				}
			}
		}
		return len(s.testsOf(o.Access, false)) > 0
	})
}

func (s *search) foundApart(found, use *occurrence) bool {
	for _, l := range locksOf(use.held) {
		if l.Root != use.place.Root || found.held[l] == locks.Possible {
			continue
		}
		v := access.Var{Obj: use.Var.Obj}
		shift, b := s.shiftOf(v, locks.ClassOf(l))
		if shift == nil {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, v, map[*accesses.Body]bool{b: true}); !strong {
			continue
		}
		c := s.direct("testuse", "unlock-relock", found.source(), found.Pos(), use.Pos())
		c.Via = found.via
		c.Protected = l.String()
		c.Roles = [2]string{"looked through", "used at the index"}
		c.Message = fmt.Sprintf("%s is used at an index that was found before %s was released: %s moves its elements (%s), so that another one, or none, can stand there",
			types.ExprString(use.Expr), l, b.Fn.Name, types.ExprString(shift.(ast.Expr)))
		for _, d := range s.found {
			if d.Sure && d.Roles[0] == "" && d.EndPos == use.Pos() && d.Category == c.Category { // the general report of it
				d.Sure, d.Doubt = false, "the index that is used tells more"
			}
		}
		s.tell(c, found, use.Access)
		return true
	}
	return false
}
