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

// copiedThenRead finds fields of which a function makes a copy under a lock, to use that once it has
// released the lock, and then reads the field itself all the same:
//
//	p.mu.Lock(); state := p.state; p.mu.Unlock()
//	if p.state != last { … }      // if state != last
//
// Another one can be stored by then.
func (s *search) copiedThenRead() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, look := range s.order {
		local := s.copyMadeOf(look)
		if local == nil {
			continue
		}
		for _, o := range s.order {
			if o.Mode != atomicity.Read || o.Kind != access.Cell || o.Update != nil || o.via != nil || o.lit || o.later || o.held.Any() || len(o.held) > 0 || !o.sameInstance(look) || !s.leadsTo(look, o) || s.leadsTo(o, look) && o.Pos() < look.Pos() {
				continue
			}
			if s.reachOf(o) < shared.Meant || !s.usedPast(local, o) {
				continue
			}
			w, lock := s.storedUnder(look)
			if w == nil {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, o.Var, map[*accesses.Body]bool{w.body: true}); !strong {
				continue
			}
			c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), w.Pos())
			c.Roles = [2]string{"read without the lock", "stored with it"}
			c.Message = fmt.Sprintf("%s is read here once more after %s was released: %s has the value of it that was read under the lock, and %s can have stored another one", types.ExprString(o.Expr), lock, local.Name(), w.body.Fn.Name)
			s.tell(c, o, w.Access)
			return
		}
	}
}

// copyMadeOf is the local to which the body assigns, once and for all, what it reads from a field of an
// object under a lock of that object.
func (s *search) copyMadeOf(look *occurrence) types.Object {
	if look.Mode != atomicity.Read || look.Kind != access.Cell || look.via != nil || look.lit || look.later || !look.held.Any() || !look.Var.Obj.IsField() || look.Var.Contents {
		return nil
	}
	stmt, ok := look.Stmt.(*ast.AssignStmt)
	if !ok || len(stmt.Lhs) != len(stmt.Rhs) {
		return nil
	}
	for i, e := range stmt.Rhs {
		if id := identOf(stmt.Lhs[i]); id != nil && ast.Unparen(e) == ast.Unparen(look.Expr) {
			if obj := s.pkg.Info.Defs[id]; obj != nil && len(s.values.assigns[obj]) == 1 {
				return obj
			}
		}
	}
	return nil
}

// usedPast says whether the body still uses the local after o.
func (s *search) usedPast(local types.Object, o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() > o.Pos() && s.pkg.Info.Uses[id] == local {
			found = true
		}
		return !found
	})
	return found
}

// storedUnder is where another function stores the field under the lock that look has held, if none
// stores it without.
func (s *search) storedUnder(look *occurrence) (*placed, accesses.Place) {
	for _, l := range look.held.Places() {
		if l.Root != look.place.Root {
			continue
		}
		var found *placed
		all := s.ownAccesses(look.Var)
		if slices.ContainsFunc(all, func(w placed) bool {
			return w.Mode == atomicity.Write && w.held[w.lockOf(locks.ClassOf(l))] != locks.Exclusive
		}) {
			continue
		}
		for i, w := range all {
			if w.Mode == atomicity.Write && w.body.Outermost() != s.body.Outermost() {
				found = &all[i]
			}
		}
		if found != nil {
			return found, l
		}
	}
	return nil, accesses.Place{}
}
