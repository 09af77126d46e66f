package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
)

// drawsUnlocked finds draws from the generator of random numbers of a package which has a source of its own, and so
// no lock, in functions that anybody may call, or that goroutines run:
//
//	var random = rand.New(rand.NewSource(time.Now().UnixNano()))
//	func NewID() string { … random.Intn(len(letters)) … }
//
// A draw loads the state of the source and stores the next one: two goroutines draw the same numbers, and
// the index into the state can go out of range. The functions of math/rand do without a lock of the caller.
func (s *search) drawsUnlocked() {
	main := s.pkg.Types.Name() == "main"
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || !s.shared.Launched(s.body) && (main || !s.shared.Entered(s.body)) ||
		forTests(s.pkg.Types) || s.recovers() {
		return
	}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || len(held) > 0 {
			return
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if fn := s.locks.Callee(call); !ok || fn == nil || !drawsAtRandom(fn) {
			return
		}
		o := s.occurrenceOf(sel.X)
		if o == nil || o.via != nil || o.Var.Obj == nil || !accesses.IsGlobal(o.Var.Obj) || o.Var.Obj.Pkg() != s.pkg.Types || !s.madeByRand(o.Var.Obj) || s.drawnLocked(o) {
			return
		}
		c := s.direct("loadstore", "load-and-store", o.Access, call.Pos(), call.Pos())
		c.Pattern = atomicity.LoadAndStore
		c.Roles = [2]string{"drawn from", "drawn from"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("two goroutines can both draw from %s and get the same numbers, or an index out of range: no lock is held, and a rand.Rand of its own source has none", types.ExprString(sel.X))
		s.tell(c, o, o.Access)
	})
}

// madeByRand says whether the package makes the generator by rand.New, of a source of the standard library,
// and never stores another one.
func (s *search) madeByRand(v types.Object) bool {
	if s.ownSource() {
		return false
	}
	made, other := false, false
	note := func(lhs []ast.Expr, rhs []ast.Expr) {
		for i, e := range lhs {
			id, ok := ast.Unparen(e).(*ast.Ident)
			if !ok || s.pkg.Info.ObjectOf(id) != v {
				continue
			}
			call, ok := (*ast.CallExpr)(nil), false
			if len(lhs) == len(rhs) {
				call, ok = ast.Unparen(rhs[i]).(*ast.CallExpr)
			}
			if fn := (*types.Func)(nil); ok {
				fn = s.locks.Callee(call)
				ok = fn != nil && fn.Name() == "New" && fn.Pkg() != nil && slices.Contains([]string{"math/rand", "math/rand/v2"}, fn.Pkg().Path())
			}
			made, other = made || ok, other || !ok
		}
	}
	for _, file := range s.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				note(n.Lhs, n.Rhs)
			case *ast.ValueSpec:
				if len(n.Values) > 0 {
					var names []ast.Expr
					for _, name := range n.Names {
						names = append(names, name)
					}
					note(names, n.Values)
				}
			}
			return !other
		})
	}
	return made && !other
}

// drawnLocked says whether something takes a lock to draw from it: that is another matter.
func (s *search) drawnLocked(o *occurrence) bool {
	return slices.ContainsFunc(s.ownAccesses(o.Var), func(k placed) bool { return k.held.Any() })
}
