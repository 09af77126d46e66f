package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// acrossMaps finds two maps of one object of which entries are deleted in two critical
// sections, one after the other, mostly by a method each, where another function handles
// both in one, and a third one goes from what it finds in the second map to the first one,
// without a look whether it is there: in between it is not. With entries that are stored
// it is the other way round.
func (s *search) acrossMaps() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, e := range s.order {
		if !mapWrite(e) || s.reachOf(e) < shared.Meant || !s.ownLockOf(e, e.held) {
			continue
		}
		done := false
		s.later(e, func(o *occurrence) {
			deleted := e.source().Method == "delete"
			if done || !mapWrite(o) || deleted != (o.source().Method == "delete") || s.handledIn(e, o, atomicity.ReadWrite) || s.awaits(e, o) {
				return
			}
			c := s.couplings()[couple{e.Var, o.Var}]
			if (c == nil || !c.writtenBeside(s.body)) && (deleted || !s.ofOneObject(e, o)) {
				return
			}
			from, to := o.Var, e.Var
			if !deleted {
				from, to = to, from
			}
			reader := s.goesAcross(from, to)
			if reader == nil || reader.Outermost() == s.body.Outermost() {
				return
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, e.Var, map[*accesses.Body]bool{reader: true}); !strong {
				return
			}
			done = true
			s.apartAcross(e, o, reader)
		})
		if done {
			return
		}
	}
}

func (s *search) apartAcross(e, o *occurrence, reader *accesses.Body) {
	does := "stored in"
	if e.source().Method == "delete" {
		does = "deleted from"
	}
	c := s.direct("multivar", "multi-variable", e.source(), e.Pos(), o.Pos())
	c.Via, c.EndVia = e.via, o.via
	c.EndName = s.pkg.Name(o.source().Var)
	c.Roles = [2]string{does[:len(does)-5], "handled later"}
	c.Message = fmt.Sprintf("an entry is %s %s here and %s in a later critical section; %s goes from one to the other without a look, and can find the half of it",
		does, e.place, o.place, reader.Fn.Name)
	s.tell(c, e, o.source())
}

// ofOneObject says whether the two are made by calls that are given one local, or are of one value.
func (s *search) ofOneObject(e, o *occurrence) bool {
	if e.via == nil || o.via == nil {
		return e.via == nil && o.via == nil && s.local(s.putIn(e)) != nil && s.local(s.putIn(e)) == s.local(s.putIn(o))
	}
	return e.via != o.via && slices.ContainsFunc(e.via.Args, func(x ast.Expr) bool {
		return s.local(x) != nil && slices.ContainsFunc(o.via.Args, func(y ast.Expr) bool { return s.local(y) == s.local(x) })
	})
}

// mapWrite says whether the write stores or deletes an entry of a map that is a field.
func mapWrite(w *occurrence) bool {
	return w.Mode == atomicity.Write && w.Kind == access.MapElement && w.Update == nil && !w.lit && !w.later && w.depth <= 1 && w.place.Valid() && w.Var.Obj.IsField()
}

// writtenBeside says whether another function than the body writes both in one critical
// section.
func (c *coupling) writtenBeside(b *accesses.Body) bool {
	for w := range c.written {
		if w.Outermost() != b.Outermost() {
			return true
		}
	}
	return false
}

// goesAcross is a body that looks an entry of the one map up by what it has read from the
// other one, in one critical section, and does not look whether it is there.
func (s *search) goesAcross(from, to access.Var) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if !s.accessors(from.Obj)[b] || !s.accessors(to.Obj)[b] || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, set := range s.holdsOf(b) {
			for _, y := range set[to] {
				if y.Mode != atomicity.Read || y.Kind != access.MapElement || y.via != nil || y.Key == nil || !s.refers(y.Expr) || len(s.testsOf(y.Access, true)) > 0 || s.commaOK(y) {
					continue
				}
				keys := s.values.of(y.Key)
				for _, x := range set[from] {
					if x.Mode == atomicity.Read && x.via == nil && s.before(x, y) && keysFrom(keys, x) {
						return b
					}
				}
			}
		}
	}
	return nil
}

// refers says whether the value of the expression is one of which nil would not do.
func (s *search) refers(e ast.Expr) bool {
	t := s.pkg.Info.TypeOf(e)
	return t != nil && pointers(t)
}

func keysFrom(keys sources, x *occurrence) bool {
	_, ok := keys[x.Access]
	return ok
}

// commaOK says whether the read tells in a second variable whether there is an entry.
func (s *search) commaOK(y *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && (a.Tok == token.DEFINE || a.Tok == token.ASSIGN) && len(a.Lhs) == 2 && len(a.Rhs) == 1 && ast.Unparen(a.Rhs[0]) == y.Expr {
			found = true
		}
		return !found
	})
	return found
}
