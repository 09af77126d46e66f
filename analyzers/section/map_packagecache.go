package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// packageCache finds maps of the package itself that an exported function, or one that it calls, looks into
// and fills without any lock, to hand out what it has found the next time:
//
//	func New(opts ...Option) *Transport {
//		k := hash(opts)
//		if t, ok := made[k]; ok { return t }
//		t := build(opts)
//		made[k] = t
//		return t
//	}
//
// Whoever imports the package may call it in several goroutines, as nothing else of the package suggests that
// it is for one: the program imports what serves many (see servesMany). Nothing that it makes is shared, and
// so nothing says that the map is. A registry, which refuses what is there, is filled before.
func (s *search) packageCache() {
	if s.body.Func == nil || s.pkg.Types.Name() == "main" || !s.calledOutside(s.body, 0) || !s.servesMany() {
		return
	}
	for _, r := range s.order {
		if r.Mode != atomicity.Read || r.Kind != access.MapElement || r.via != nil || len(r.held) > 0 || !accesses.IsGlobal(r.Var.Obj) || !s.returnsFound(r) {
			continue
		}
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.Kind != access.MapElement || w.Method != "" || w.via != nil || w.lit || w.later || len(w.held) > 0 || w.Var != r.Var || !s.leadsTo(r, w) || !r.sameInstance(w) {
				continue
			}
			if !s.decided(s.testsOf(r.Access, false), w.block) || s.lockedAnywhere(r.Var) {
				continue
			}
			c := s.direct("discipline", "unguarded-access", r.Access, r.Pos(), w.Pos())
			c.Roles = [2]string{"looked up", "filled"}
			c.Message = fmt.Sprintf("%s is looked up and filled here, and no lock is ever taken for it: two goroutines that come here at the same time change one map at once, which ends the program (concurrent map writes)",
				types.ExprString(r.Cell))
			s.tell(c, r, w.Access)
			return
		}
	}
}

// returnsFound says whether the body returns what r has found.
func (s *search) returnsFound(r *occurrence) bool {
	return s.returnsOne(func(e ast.Expr) bool {
		if s.is(e, r.Access) {
			return true
		}
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && !isBoolean(s.pkg.Info.TypeOf(e)) && slices.ContainsFunc(s.values.assigns[s.pkg.Info.ObjectOf(id)], func(d assignment) bool {
			return ast.Unparen(d.value) == ast.Unparen(r.Expr)
		})
	})
}

// lockedAnywhere says whether an access to the variable holds a lock.
func (s *search) lockedAnywhere(v access.Var) bool {
	return slices.ContainsFunc(s.ownAccesses(v), func(k placed) bool { return len(k.held) > 0 })
}

// calledOutside says whether importers can have the body run: it is exported, or called by one that is.
func (s *search) calledOutside(b *accesses.Body, depth int) bool {
	out := b.Outermost()
	if out.Func == nil || depth > 3 {
		return false
	}
	if out.Func.Exported() {
		return true
	}
	return slices.ContainsFunc(s.callersOf(out.Func), func(c *accesses.Body) bool { return c.Outermost() != out && s.calledOutside(c, depth+1) })
}

// servesMany says whether the package imports one of those that serve several goroutines, and is not made for tests.
func (s *search) servesMany() bool {
	many := false
	for _, p := range s.pkg.Types.Imports() {
		switch p.Path() {
		case "testing", "flag", "go/ast":
			return false // in a program of one goroutine, or in a test
		case "net/http", "database/sql/driver", "database/sql", "google.golang.org/grpc", "net":
			many = true
		}
	}
	return many
}
