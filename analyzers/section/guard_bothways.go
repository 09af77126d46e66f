package section

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// bothWays finds plain fields of a connection or listener that one of its methods changes and another one
// uses, while nobody ever holds a lock for them. Package net lets goroutines call the methods at the same
// time, and that one reads while another one writes, or closes, is how connections are used:
//
//	func (c *conn) Read(b []byte) (int, error)  { if !c.greeted { c.greet() }; … }
//	func (c *conn) Write(b []byte) (int, error) { if !c.greeted { c.greet() }; … }
func (s *search) bothWays() {
	owner, mine := s.waysTo(s.body)
	if len(mine) == 0 || s.shared.Constructing(s.body) {
		return
	}
	told := map[access.Var]bool{}
	for _, w := range s.order {
		if w.via != nil || w.Mode != atomicity.Write || w.Kind != access.Cell && w.Kind != access.MapElement || !w.Var.Obj.IsField() || len(w.held) > 0 || told[w.Var] ||
			s.shared.Owner(w.Var.Obj) != owner || s.reachOf(w) == shared.Private || s.toldOfFlag(w.Var) || !s.ofOwnObject(w) {
			continue
		}
		told[w.Var] = true
		if s.lockedAnywhere(w.Var) {
			continue
		}
		k, by, other := s.otherWay(w, mine)
		if k == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", w.Access, w.Pos(), k.Pos())
		role, use := "read", "reads"
		if k.Mode == atomicity.Write {
			role, use = "changed", "changes"
		}
		c.Roles = [2]string{"changed", role}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is changed here in a call of %s, and another goroutine that calls %s meanwhile, as package net allows, %s it: neither holds a lock", types.ExprString(w.Expr), by, other, use)
		s.tell(c, w, k.Access)
	}
}

// otherWay is an access to what w writes on the way of another method than w's, with the names of the two. Two
// callers of the same method are allowed as well, and rare.
func (s *search) otherWay(w *occurrence, mine map[string]bool) (k *occurrence, by, other string) {
	owner := s.shared.Owner(w.Var.Obj)
	for _, p := range s.ownAccesses(w.Var) {
		if of, theirs := s.waysTo(p.body); of == owner && len(p.held) == 0 && p.via == nil {
			for _, by := range slices.Sorted(maps.Keys(mine)) {
				for _, other := range slices.Sorted(maps.Keys(theirs)) {
					if by != other {
						return p.occurrence, by, other
					}
				}
			}
		}
	}
	return nil, "", ""
}

// waysTo are the names of the methods of a connection or listener, and its type, by which goroutines come to
// the body.
func (s *search) waysTo(b *accesses.Body) (*types.TypeName, map[string]bool) {
	ways := map[string]bool{}
	var owner *types.TypeName
	var from func(b *accesses.Body, depth int)
	from = func(b *accesses.Body, depth int) {
		if b.Func == nil || b.Func.Signature().Recv() == nil || s.shared.Constructing(b) {
			return
		}
		of := accesses.TypeName(b.Func.Signature().Recv().Type())
		if owner == nil {
			owner = of
		}
		if of != owner {
			return
		}
		if s.shared.Simultaneous(b) {
			ways[b.Func.Name()] = true
			return
		}
		if b.Func.Exported() || depth > 2 || s.shared.Spawned(b) {
			return
		}
		for _, caller := range s.callersOf(b.Func) {
			from(caller, depth+1)
		}
	}
	from(b, 0)
	return owner, ways
}

// closesConn says whether the body is of the Close of a connection or listener, which whoever reads and whoever
// writes call when they are through, and the end closes a channel there.
func (f *finding) closesConn(end *hit) bool {
	return f.shared.Simultaneous(f.body) && f.body.Func.Name() == "Close" && f.closes(end) != ""
}
