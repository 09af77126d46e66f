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

// replacedTwice finds objects that are read before the lock is taken under which another one is put
// in their place, and that are ended then: of two goroutines that find one and the same, both end
// it, and nobody ends what the first of them has put there.
//
//	old := s.client                                // or under the lock, and then released
//	s.mu.Lock(); s.client = fresh; s.mu.Unlock()
//	old.Stop()
func (s *search) replacedTwice() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || s.readies() || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.Update != nil || !w.Var.Obj.IsField() || !leadsFurther(w) || !s.storesFresh(w) {
			continue
		}
		l := s.exclusiveBeside(w)
		if !l.Valid() {
			continue
		}
		old, look := s.lookedAtFirst(w)
		if look == nil || s.reachOf(look) < shared.Meant || s.waitedBefore(w) || s.toldOf(look) || s.readInHoldOf(w) {
			continue
		}
		end := s.endOfLocal(old)
		if end == nil {
			continue
		}
		if _, strong, _ := s.shared.Rivals(s.body, w.Var); !strong {
			continue
		}
		category := "unlock-relock"
		if !look.held.Any() {
			category = "test-before-lock"
		}
		c := s.direct("testuse", category, look.source(), look.Pos(), w.Pos())
		c.Via, c.Protected = look.via, l.String()
		c.Roles = [2]string{"read", "replaced"}
		c.Message = fmt.Sprintf("two goroutines can both read %s before either puts another one in its place: both call %s, and nobody ends the one that is replaced last: %s is not held in between",
			s.pkg.Name(look.Var), types.ExprString(end), l)
		s.tell(c, look, w.Access)
		return
	}
}

// storesFresh says whether the write stores something other than nil, and nothing that is made of
// what was there.
func (s *search) storesFresh(w *occurrence) bool {
	values := stored(w.Access)
	if len(values) != 1 || s.pkg.Info.Types[values[0]].IsNil() {
		return false
	}
	for a := range s.values.of(values[0]) {
		if a.Var == w.Var {
			return false
		}
	}
	return true
}

// exclusiveBeside is a lock of the object that w is a write to, held for writing.
func (s *search) exclusiveBeside(w *occurrence) accesses.Place {
	for _, l := range locksOf(w.held) {
		if w.held[l] == locks.Exclusive && l.Root != nil && l.Root == w.place.Root {
			return l
		}
	}
	return accesses.Place{}
}

// lookedAtFirst is the local, never assigned anew, that was given what w replaces, and the read of
// that, on the way to w and not in the critical section of w.
func (s *search) lookedAtFirst(w *occurrence) (types.Object, *occurrence) {
	for _, r := range s.order {
		if r.Mode != atomicity.Read || r.lit || !r.sameInstance(w) || !s.leadsTo(r, w) || s.leadsTo(w, r) || s.oneHold(r, w) || r.held.Holds(locks.Caller) {
			continue
		}
		var first types.Object
		for obj, list := range s.values.assigns {
			if len(list) == 1 && slices.Contains(s.values.reads[ast.Unparen(list[0].value)], r.Access) && types.Identical(obj.Type(), w.Var.Obj.Type()) && (first == nil || obj.Pos() < first.Pos()) {
				first = obj
			}
		}
		if first != nil {
			return first, r
		}
	}
	return nil, nil
}

// readInHoldOf says whether the body reads the variable in the critical section of w.
func (s *search) readInHoldOf(w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.sameInstance(w) && s.oneHold(r, w)
	})
}

// endOfLocal is the function by which the body ends what the local holds: old.Stop, or close.
func (s *search) endOfLocal(local types.Object) ast.Expr {
	for _, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			if id, ok := s.closeOf(call).(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) == local {
				return call
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || !endings.MatchString(sel.Sel.Name) {
				continue
			}
			if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) == local {
				return sel
			}
		}
	}
	return nil
}
