package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/internal/pattern"
)

// takenFromAll finds functions that go through a sync.Map for an entry, whichever comes first,
// delete it without asking whether it was still there, and hand it out: two goroutines can
// take the same one.
//
//	m.Range(func(k, v any) bool {
//		c = v.(*conn)
//		m.Delete(k) // LoadAndDelete tells who has it
//		return false
//	})
//	return c
func (s *search) takenFromAll() {
	if s.shared.Constructing(s.body) || s.shared.Single(s.body) || s.shared.Sequential(s.body) {
		return
	}
	deletes := s.deletesWithin(s.body, nil)
	if len(deletes) == 0 {
		return
	}
	for _, v := range s.visits() {
		if v.value == nil || v.held.Any() || !s.endsEarly(v) || s.claimsEach(v) {
			continue
		}
		found := s.takenBy(v)
		if found == nil {
			continue
		}
		for _, gone := range deletes {
			if gone.place != v.place || gone.held.Any() || gone.via != nil || s.before(gone, v.body) || s.asksWhether(gone) || !s.deletesVisited(v, gone) {
				continue
			}
			if s.reachOf(gone.occurrence) == shared.Private {
				continue
			}
			if ok, _, _ := s.rivals(gone.Var); !ok {
				continue
			}
			c := s.direct("testuse", "sync-map", gone.source(), found.Pos(), gone.Pos())
			c.Roles = [2]string{"found", "deleted"}
			c.Message = fmt.Sprintf("two goroutines can both find this entry of %s before either deletes it, and both go on with it: LoadAndDelete tells which of them has taken it", gone.place)
			s.tell(c, gone.occurrence, gone.Access)
			return
		}
	}
}

// asksWhether says whether the deletion tells the body whether the entry was still there.
func (s *search) asksWhether(gone placed) bool {
	call, ok := gone.Expr.(*ast.CallExpr)
	return ok && slices.ContainsFunc(s.states[gone.body].values.taken[call], func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

// endsEarly says whether the walk ends with one that it has found.
func (s *search) endsEarly(v visit) bool {
	found := false
	ast.Inspect(v.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 1 {
				tv := s.pkg.Info.Types[n.Results[0]]
				found = found || tv.Value != nil && tv.Value.Kind() == constant.Bool && !constant.BoolVal(tv.Value)
			}
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK
		}
		return !found
	})
	return found
}

// claimsEach says whether the walk asks of what it comes to, in one step or under a lock,
// whether it may have it.
func (s *search) claimsEach(v visit) bool {
	found := false
	ast.Inspect(v.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if _, name := methodOn(call); claimings.MatchString(name) {
				found = true
			}
		}
		return !found
	})
	return found
}

var claimings = pattern.New(`^(CompareAnd|TryLock|Lock$|Swap|TryAcquire|Acquire|Claim|claim|tryAcquire|LoadOrStore)`)

// takenBy is where the walk puts the object of an entry into a local that the body returns
// or sends; or nil.
func (s *search) takenBy(v visit) ast.Node {
	var at ast.Node
	s.keptFrom(v, v.value, func(local types.Object, assign ast.Node) {
		ast.Inspect(s.body.Block, func(n ast.Node) bool {
			var out []ast.Expr
			switch n := n.(type) {
			case *ast.ReturnStmt:
				out = n.Results
			case *ast.SendStmt:
				out = []ast.Expr{n.Value}
			case *ast.BlockStmt:
				if n == v.body {
					return false
				}
			}
			for _, e := range out {
				if id := identOf(e); id != nil && s.pkg.Info.ObjectOf(id) == local {
					at = assign
				}
			}
			return at == nil
		})
	})
	return at
}

// deletesVisited says whether what is deleted is the entry that the walk has come to.
func (s *search) deletesVisited(v visit, gone placed) bool {
	call, ok := gone.Expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	if v.key != nil && s.mentions(call.Args[0], v.key) {
		return true
	}
	found := false
	s.keptFrom(v, v.key, func(local types.Object, _ ast.Node) {
		found = found || s.mentions(call.Args[0], local)
	})
	return found
}

// keptFrom visits the locals of the body to which the walk assigns what it has come to.
func (s *search) keptFrom(v visit, of types.Object, visit func(local types.Object, assign ast.Node)) {
	if of == nil {
		return
	}
	ast.Inspect(v.body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN {
			return true
		}
		for i, l := range assign.Lhs {
			r := assign.Rhs[min(i, len(assign.Rhs)-1)]
			id, ok := ast.Unparen(l).(*ast.Ident)
			if !ok || !s.standsFor(r, of) {
				continue
			}
			if local := s.pkg.Info.ObjectOf(id); local != nil && (local.Pos() < v.body.Pos() || v.body.End() <= local.Pos()) {
				visit(local, assign)
			}
		}
		return true
	})
}

// standsFor says whether e is the variable, asserted or converted to a type or not.
func (s *search) standsFor(e ast.Expr, of types.Object) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.TypeAssertExpr:
			e = x.X
			continue
		case *ast.CallExpr:
			if len(x.Args) == 1 && s.pkg.Info.Types[x.Fun].IsType() {
				e = x.Args[0]
				continue
			}
		case *ast.Ident:
			return s.pkg.Info.ObjectOf(x) == of
		}
		return false
	}
}
