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

// takenPlaces finds functions that put a value of their own into a map in the place of
// another one, which they have looked up and go on without, and delete the key later, in
// what they defer, hand to a timer or start, without a look whose value is there by then:
//
//	old := m[k]; m[k] = c                          // under the lock
//	defer func() { …; delete(m, k); … }()          // under the lock, too
//
// The next call with the same key puts its own in the place of this one, and loses it.
func (s *search) takenPlaces() {
	if s.body.Func == nil || s.shared.Constructing(s.body) || s.shared.Single(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, put := range s.order {
		key := s.localKey(put)
		if put.Mode != atomicity.Write || put.Method == "delete" || put.via != nil || key == (heldKey{}) || put.Update != nil || s.reachOf(put) < shared.Implied || !s.replaces(put, key) {
			continue
		}
		for _, lit := range s.body.Lits {
			del, lock := s.deletesUnseen(lit, put, key)
			if del == nil {
				continue
			}
			_, strong, evidence := s.rivals(put.Var)
			if !strong {
				continue
			}
			c := s.direct("testuse", "unlock-relock", put.Access, put.Pos(), del.Pos())
			c.Evidence = evidence
			c.Roles = [2]string{"put in the place of another", "deleted"}
			c.Message = fmt.Sprintf("the next call puts its own in the place of this one, as this one does with what was in %s, and loses it where this one deletes the key under %s without a look",
				types.ExprString(put.Expr), lock)
			s.tell(c, put, del.Access)
			return
		}
	}
}

// heldKey is a key of a map as a function tells it: a local or parameter that is never
// assigned anew, or a part of one.
type heldKey struct {
	of   types.Object
	text string
}

// localKey is the key of the entry, or the zero heldKey.
func (s *search) localKey(o *occurrence) heldKey {
	key := keyOf(o)
	if key == nil || o.Kind != access.MapElement {
		return heldKey{}
	}
	root := ast.Unparen(s.values.named(key))
	for {
		x, part := partOf(root)
		if part == "" {
			break
		}
		root = x
	}
	id, ok := root.(*ast.Ident)
	if !ok {
		return heldKey{}
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || accesses.IsGlobal(v) || len(s.values.assigns[v]) > 1 {
		return heldKey{}
	}
	return heldKey{v, s.values.keyText(key)}
}

// keyOf is k of m[k] or delete(m, k); nil if it is not known.
func keyOf(o *occurrence) ast.Expr {
	switch e := ast.Unparen(o.Expr).(type) {
	case *ast.IndexExpr:
		return ast.Unparen(e.Index)
	case *ast.CallExpr:
		if len(e.Args) == 2 {
			return ast.Unparen(e.Args[1])
		}
	}
	return nil
}

// replaces says whether the entry is read ahead of the write with the same lock held,
// and the write comes as well where the read has found something. What is made of that is
// a change of the old one, and no other.
func (s *search) replaces(put *occurrence, key heldKey) bool {
	values := stored(put.Access)
	return slices.ContainsFunc(s.order, func(look *occurrence) bool {
		if look.Mode != atomicity.Read || look.via != nil || look.Var != put.Var || s.localKey(look) != key || !s.leadsTo(look, put) || s.leadsTo(put, look) || onlyWhether(look) ||
			ownHold(put) != locks.Exclusive || !s.oneHold(look, put) {
			return false
		}
		for _, v := range values {
			if _, made := s.values.of(v)[look.Access]; made {
				return false
			}
		}
		first := -1
		for _, t := range s.testsOf(look.Access, true) {
			if first < 0 || s.reaches(s.body.CFG.Blocks[t], -1)[first] {
				first = t
			}
		}
		if first < 0 || !s.reaches(s.body.CFG.Blocks[first], -1)[put.block] {
			return true
		}
		decides, _ := s.decides(first, put.block)
		return !decides
	})
}

// onlyWhether says whether the function only asks whether there is an entry, and does not
// keep what is there: _, ok := m[k].
func onlyWhether(look *occurrence) bool {
	assign, ok := look.Stmt.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 || ast.Unparen(assign.Rhs[0]) != ast.Unparen(look.Expr) {
		return false
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	return ok && id.Name == "_"
}

// deletesUnseen is a deletion of the entry in the literal, with a lock of the class under
// which it was put there, where the literal does not look into the map.
func (s *search) deletesUnseen(lit *accesses.Body, put *occurrence, key heldKey) (*occurrence, accesses.Place) {
	st := s.states[lit]
	if st == nil || lit.Node.Pos() <= put.Pos() && put.Pos() < lit.Node.End() {
		return nil, accesses.Place{}
	}
	var del *occurrence
	for _, o := range st.order {
		switch {
		case o.Var != put.Var || o.via != nil:
		case o.Method == "delete" && s.localKey(o) == key:
			del = o
		case o.Mode == atomicity.Read && o.Kind == access.MapElement:
			return nil, accesses.Place{}
		}
	}
	if del == nil {
		return nil, accesses.Place{}
	}
	for _, l := range locksOf(put.held) {
		if held := del.lockOf(locks.ClassOf(l)); held.Valid() && del.held[held] == locks.Exclusive {
			return del, held
		}
	}
	return nil, accesses.Place{}
}
