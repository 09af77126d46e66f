package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// inPlace are the accesses of the function literals that a call runs before it
// returns, as seen from the body around them: those that tell the body something,
// and writes without a test of their own. Many a literal is there for a deferred
// Unlock alone.
func (s *search) inPlace(st *bodyState, call *ast.CallExpr, block, index int, held locks.Set) []*occurrence {
	var list []*occurrence
	for _, lit := range s.litsOf(call) {
		list = append(list, s.inLit(st, lit, call, block, index, held)...)
	}
	return list
}

// inLit is inPlace for one literal that the call runs.
func (s *search) inLit(st *bodyState, lit *accesses.Body, call *ast.CallExpr, block, index int, held locks.Set) []*occurrence {
	var list []*occurrence
	inner := s.stateOf(lit)
	results, told := s.returned(lit, inner), s.told(lit, inner)
	for _, o := range inner.order {
		if !o.place.Valid() || declaredIn(lit, o.place.Root) {
			continue
		}
		if o.Mode == atomicity.Read && !results[o.Access] && !told[o.Access] ||
			o.Mode == atomicity.Write && (rmw(o.Access) || inner.testedBefore(o) || inner.decidesAfresh(o)) {
			continue
		}
		out := *o
		out.block, out.index, out.outer, out.lit = block, index, held, true
		if o.via == nil {
			out.via, out.stores = call, stored(o.Access)
		}
		if st.occ[o.Access] != nil { // another call of the literal, which looks anew
			a := *o.Access
			out.Access, out.origin = &a, o.source()
		}
		if ast.Unparen(call.Fun) == ast.Node(lit.Node) || s.namesLit(call, lit) {
			if results[o.Access] {
				st.values.reads[call] = append(st.values.reads[call], out.Access)
			}
		}
		list = append(list, &out)
	}
	return list
}

// startedLits are the literals that the call, of a function of this kind, runs in goroutines
// which begin now: not those of timers, nor of servers and finalizers.
func (s *search) startedLits(call *ast.CallExpr) []*accesses.Body {
	fn := s.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil || runsInTime.MatchString(fn.Pkg().Path()) {
		return nil
	}
	var list []*accesses.Body
	for i, a := range call.Args {
		if lit, ok := ast.Unparen(a).(*ast.FuncLit); ok && s.locks.Spawns(fn, i) {
			list = append(list, s.pkg.ByNode[lit])
		}
	}
	return list
}

// runsInTime are the packages whose functions run what they are given when something happens.
var runsInTime = pattern.New(`^(time|context|net/http|runtime)$`)

// litsOf are the literals that the call runs: its own, the one that the local
// holds which it calls, and those that are handed to a function which calls them.
func (s *search) litsOf(call *ast.CallExpr) []*accesses.Body {
	var list []*accesses.Body
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		list = append(list, s.pkg.ByNode[fun])
	case *ast.Ident:
		if b := s.locks.LitOf(fun); b != nil {
			list = append(list, b)
		}
	}
	fn := s.locks.Callee(call)
	for i, a := range call.Args {
		if lit, ok := ast.Unparen(a).(*ast.FuncLit); ok && fn != nil {
			if _, calls := s.locks.CallsArgument(fn, i); calls {
				list = append(list, s.pkg.ByNode[lit])
			}
		}
	}
	return list
}

// namesLit says whether the call is of a local that holds the literal.
func (s *search) namesLit(call *ast.CallExpr, lit *accesses.Body) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && s.locks.LitOf(id) == lit
}

// declaredIn says whether the object is declared inside the literal.
func declaredIn(lit *accesses.Body, obj types.Object) bool {
	return lit.Node.Pos() <= obj.Pos() && obj.Pos() < lit.Node.End()
}

// told are the reads whose values the literal assigns to variables of the
// function around it.
func (s *search) told(lit *accesses.Body, st *bodyState) map[*access.Access]bool {
	set := map[*access.Access]bool{}
	ast.Inspect(lit.Block, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range assign.Lhs {
			id, ok := ast.Unparen(l).(*ast.Ident)
			if !ok || id.Name == "_" {
				continue
			}
			obj := s.pkg.Info.ObjectOf(id)
			if obj == nil || declaredIn(lit, obj) || accesses.IsGlobal(obj) {
				continue
			}
			for a := range st.values.of(assign.Rhs[min(i, len(assign.Rhs)-1)]) {
				set[a] = true
			}
		}
		return true
	})
	return set
}
