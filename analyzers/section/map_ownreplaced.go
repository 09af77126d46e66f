package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// ownReplaced finds functions that put an entry of their own making into a map where there is
// none, release the lock, and later, mostly when something has failed, delete whatever has
// the key by then, while another function that its callers give the key stores its value there
// without a look:
//
//	w := &call{}; c.m[k] = w; c.mu.Unlock()
//	if w.err = load(k); w.err != nil { c.Delete(k) }
func (s *search) ownReplaced() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	var deletes []*occurrence
	for _, put := range s.order {
		if put.Mode != atomicity.Write || put.Kind != access.MapElement || put.Method != "" || put.Update != nil || put.via != nil || put.later || !put.held.Any() ||
			!s.stableKey(put) || !s.isGivenKey(put.Key) || !s.storesOwnMade(put) || s.reachOf(put) < shared.Meant {
			continue
		}
		if deletes == nil {
			deletes = s.lateDeletes()
		}
		for _, del := range deletes {
			lock := s.deletesOwn(put, del)
			if !lock.Valid() {
				continue
			}
			by := s.storedUnseen(put)
			if by == nil {
				return
			}
			c := s.direct("testuse", "unlock-relock", put.Access, put.Pos(), del.Pos())
			c.Roles = [2]string{"put in", "deleted"}
			c.Message = fmt.Sprintf("what %s stores in %s meanwhile is deleted in the place of what is put there here: %s is released in between, and the key is deleted without a look at what has it",
				by.Fn.Name, types.ExprString(put.Cell), lock)
			if del.via != nil {
				c.EndVia, c.EndWithin = del.via, del.where()
			}
			s.tell(c, put, del.Access)
			return
		}
	}
}

// storesOwnMade says whether the write stores the address of a struct that the body has made,
// or something else that it has made.
func (s *search) storesOwnMade(put *occurrence) bool {
	values := stored(put.Access)
	if len(values) != 1 {
		return false
	}
	made := func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.UnaryExpr:
			_, literal := ast.Unparen(e.X).(*ast.CompositeLit)
			return e.Op == token.AND && literal
		case *ast.CallExpr:
			return s.isBuiltin(e, "new") || s.isBuiltin(e, "make")
		}
		return false
	}
	if made(values[0]) {
		return true
	}
	id, ok := ast.Unparen(values[0]).(*ast.Ident)
	if !ok {
		return false
	}
	var last ast.Expr
	for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(id)] {
		if s.pkg.Order(d.value.Pos()) < s.pkg.Order(put.Pos()) && (last == nil || s.pkg.Order(last.Pos()) < s.pkg.Order(d.value.Pos())) {
			last = d.value
		}
	}
	return last != nil && made(last)
}

// storedUnseen is an exported function that stores what it is given, at a key that it is
// given, without any look at the map.
func (s *search) storedUnseen(put *occurrence) *accesses.Body {
	for _, b := range s.pkg.Bodies {
		st := s.states[b]
		if b.Outermost() == s.body.Outermost() || b.Func == nil || !b.Func.Exported() || st == nil || s.shared.Constructing(b) {
			continue
		}
		for _, w := range st.order {
			if w.Var != put.Var || w.Mode != atomicity.Write || w.Kind != access.MapElement || w.Method != "" || w.Update != nil || w.via != nil || !s.givenKey(b, w) {
				continue
			}
			looks := false
			for _, r := range st.order {
				looks = looks || r.Var == w.Var && r.Mode == atomicity.Read && r.Kind == access.MapElement
			}
			if !looks && w.held.Any() && len(st.paramsOf(s.pkg, b.Func.Signature(), w)) > 0 && w.held.Excludes() {
				return b
			}
		}
	}
	return nil
}
