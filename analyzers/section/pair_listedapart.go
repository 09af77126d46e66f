package section

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// listedApart finds objects that are put into a map in one critical section and into another
// container of the same owner in a later one, where another function takes what it finds in the
// map out of both in one: if it comes in between, the object is put into the second one after it
// has been removed, and stays there.
//
//	p.mu.Lock(); p.index[name] = pl; p.mu.Unlock()
//	p.mu.Lock(); p.order = append(p.order, pl); p.mu.Unlock()
func (s *search) listedApart() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, e := range s.order {
		if !mapWrite(e) || e.source().Method == "delete" || ownHold(e) != locks.Exclusive || s.reachOf(e) == 0 || s.local(s.putIn(e)) == nil {
			continue
		}
		done := false
		s.later(e, func(o *occurrence) {
			if done || o.Mode != atomicity.Write || o.lit || o.later || o.depth > 1 || !isContainer(o.Var.Obj.Type()) || ownHold(o) != locks.Exclusive ||
				s.local(s.putIn(o)) != s.local(s.putIn(e)) || s.awaits(e, o) || s.handledIn(e, o, atomicity.ReadWrite) || !s.alwaysBoth(e, o) {
				return
			}
			in := s.takesFromBoth(e.Var, o.Var)
			if in == nil {
				return
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, e.Var, map[*accesses.Body]bool{in: true}); !strong {
				return
			}
			done = true
			c := s.direct("multivar", "multi-variable", e.source(), e.Pos(), o.Pos())
			c.Via, c.EndVia = e.via, o.via
			c.EndName = s.pkg.Name(o.source().Var)
			c.Roles = [2]string{"put in", "put in later"}
			c.Message = fmt.Sprintf("%s is put into %s in an earlier critical section than the one that puts it into %s: %s, which takes it out of both in one, can come in between, and it stays in the second one",
				s.local(s.putIn(e)).Name(), s.pkg.Name(access.Var{Obj: e.Var.Obj}), s.pkg.Name(access.Var{Obj: o.Var.Obj}), in.Fn.Name)
			s.tell(c, e, o.source())
		})
	}
}

// putIn is what the write puts into a container: v in m[k] = v and s = append(s, v), or the
// argument of the call that does so; or nil.
func (s *search) putIn(w *occurrence) ast.Expr {
	values := w.stores
	if w.via == nil {
		values = stored(w.Access)
	}
	if len(values) != 1 {
		return nil
	}
	if call, ok := ast.Unparen(values[0]).(*ast.CallExpr); ok && w.via == nil {
		if !(&finding{search: s}).appends(w.Access) || len(call.Args) != 2 || call.Ellipsis.IsValid() {
			return nil
		}
		return call.Args[1]
	}
	if w.Kind != access.MapElement && w.via == nil {
		return nil
	}
	return values[0]
}

// takesFromBoth is another function that deletes entries of the map and takes elements out of the
// other container in one critical section.
func (s *search) takesFromBoth(m, other access.Var) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || !s.accessors(m.Obj)[b] || !s.accessors(other.Obj)[b] {
			continue
		}
		s.bodyState = s.states[b]
		for _, set := range s.holdsOf(b) {
			deletes := slices.ContainsFunc(set[m], func(w *occurrence) bool { return w.via == nil && w.source().Method == "delete" })
			if deletes && slices.ContainsFunc(set[other], func(w *occurrence) bool { return w.via == nil && (w.source().Method == "delete" || s.cutsOut(w)) }) {
				return b
			}
		}
	}
	return nil
}

// cutsOut says whether the write stores in a slice what is left of it without some element.
func (s *search) cutsOut(w *occurrence) bool {
	values := stored(w.Access)
	if w.Mode != atomicity.Write || len(values) != 1 {
		return false
	}
	switch e := ast.Unparen(values[0]).(type) {
	case *ast.SliceExpr:
		return s.variable(e.X) == w.Var.Obj && (e.Low != nil || e.High != nil)
	case *ast.CallExpr:
		return !(&finding{search: s}).appends(w.Access) && len(e.Args) > 1 && s.mentions(e.Args[0], w.Var.Obj)
	}
	return false
}
