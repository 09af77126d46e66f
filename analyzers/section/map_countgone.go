package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

var (
	countGets  = pattern.New(`^(Load|Get|Peek|Lookup|Upsert)`)
	countDrops = pattern.New(`^(Delete|Remove|LoadAndDelete|CompareAndDelete|Pop)`)
)

// countGone finds atomic counts that are looked up in a map and counted up afterwards, while another
// function deletes from the map the counts that have come to zero:
//
//	n := l.counter(key)              // release: if n.Add(-1) == 0 { l.counts.Delete(key) }
//	if n.Add(1) > l.most { … }
//
// A count that is deleted in between is in no map any more: who comes next begins at zero again.
func (s *search) countGone() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	told := false
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || told || !s.raisesCount(call) {
			return
		}
		counts := s.countIn(call.Fun.(*ast.SelectorExpr).X, 0)
		if counts == nil || s.getsAfter(counts, call) {
			return
		}
		for _, gone := range s.countRemovals()[counts] {
			if slices.ContainsFunc(gone.locks, func(class string) bool {
				return slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool { return locks.ClassOf(l) == class })
			}) {
				continue
			}
			told = true
			c := s.direct("testuse", "use-after-unlock", &access.Access{Var: access.Var{Obj: counts, Contents: true}, Expr: call, Cell: call, Func: s.body.Fn}, call.Pos(), gone.call.Pos())
			c.Roles = [2]string{"counted up", "deleted"}
			c.Sure = true
			c.Message = fmt.Sprintf("%s can delete this count from %s, because it is zero, after it was looked up and before it is counted up here: it is in no map any more then, and the next one begins at zero",
				gone.body.Fn.Name, counts.Name())
			s.found = append(s.found, c)
			return
		}
	})
}

// countRemoval is a call that deletes a count that has come to zero, with the locks held there.
type countRemoval struct {
	body  *accesses.Body
	call  *ast.CallExpr
	locks []string
}

// countRemovals are those of the package, by the map.
func (s *search) countRemovals() map[*types.Var][]countRemoval {
	if s.countsGone != nil {
		return s.countsGone
	}
	s.countsGone = map[*types.Var][]countRemoval{}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.stateOf(b)
		s.locks.Walk(b, func(block, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				return
			}
			counts, shared := s.dropsFrom(call)
			if counts == nil || !shared && len(locksOf(held)) == 0 || !s.askedWhetherZero(counts, block) {
				return
			}
			gone := countRemoval{body: b, call: call}
			for _, l := range locksOf(held) {
				gone.locks = append(gone.locks, locks.ClassOf(l))
			}
			s.countsGone[counts] = append(s.countsGone[counts], gone)
		})
	}
	return s.countsGone
}

// askedWhetherZero says whether an operation on a count of the map decides whether control comes to the block.
func (s *search) askedWhetherZero(counts *types.Var, block int) bool {
	for test, conds := range s.body.Conds {
		if ok, _ := s.decides(test, block); !ok || test == block {
			continue
		}
		for _, cond := range conds {
			if s.asksCount(cond, counts, 0) {
				return true
			}
		}
	}
	return false
}

// asksCount says whether e is made of what an operation on a count of the map has returned.
func (s *search) asksCount(e ast.Expr, counts *types.Var, depth int) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && isAtomicCount(s.pkg.Info.TypeOf(sel.X)) {
				found = found || s.countIn(sel.X, 0) == counts
			}
		case *ast.Ident:
			if t := s.pkg.Info.TypeOf(n); depth < 3 && t != nil && (isBoolean(t) || isInteger(t)) {
				for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(n)] {
					found = found || s.asksCount(d.value, counts, depth+1)
				}
			}
		}
		return !found
	})
	return found
}

// raisesCount says whether the call adds to an atomic count: n.Add(1), n.CompareAndSwap(k, k+1).
func (s *search) raisesCount(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || call.Fun != ast.Expr(sel) || !isAtomicCount(s.pkg.Info.TypeOf(sel.X)) {
		return false
	}
	switch {
	case sel.Sel.Name == "Inc":
		return true
	case sel.Sel.Name == "Add" && len(call.Args) == 1:
		return constSign(s.pkg.Info.Types[call.Args[0]].Value) > 0
	case sel.Sel.Name == "CompareAndSwap" && len(call.Args) == 2:
		sum, ok := ast.Unparen(call.Args[1]).(*ast.BinaryExpr)
		return ok && sum.Op == token.ADD
	}
	return false
}

// isAtomicCount says whether t is a pointer to an atomic number.
func isAtomicCount(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	tn := accesses.TypeName(p.Elem())
	return tn != nil && tn.Pkg() != nil && access.IsAtomic(tn.Pkg().Path()) && (strings.HasPrefix(tn.Name(), "Int") || strings.HasPrefix(tn.Name(), "Uint"))
}

// countIn is the map in which the count that e stands for was looked up, by this body or by what it
// calls; or nil.
func (s *search) countIn(e ast.Expr, depth int) *types.Var {
	if depth > 5 {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		return s.countIn(e.X, depth+1)
	case *ast.IndexExpr:
		if _, isMap := s.values.underlying(e.X).(*types.Map); isMap {
			return s.variable(e.X)
		}
	case *ast.SelectorExpr: // that a loop walks through
		if _, isMap := s.values.underlying(e).(*types.Map); isMap {
			return s.variable(e)
		}
	case *ast.Ident:
		for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(e)] {
			if v := s.countIn(d.value, depth+1); v != nil {
				return v
			}
		}
	case *ast.CallExpr:
		if v := s.calledOnMap(e, countGets); v != nil {
			return v
		}
		b := s.pkg.ByFunc[s.locks.Callee(e)]
		if b == nil {
			return nil
		}
		current := s.bodyState
		s.bodyState = s.stateOf(b)
		defer func() { s.bodyState = current }()
		for _, events := range b.Events {
			for _, ev := range events {
				if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn && len(ret.Results) > 0 {
					if v := s.countIn(ret.Results[0], depth+1); v != nil {
						return v
					}
				}
			}
		}
	}
	return nil
}

// calledOnMap is the field or package-level variable, a container of a type of another package such as
// sync.Map, on which the call is of a method with such a name; or nil.
func (s *search) calledOnMap(call *ast.CallExpr, names *pattern.Pattern) *types.Var {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 || !names.MatchString(sel.Sel.Name) {
		return nil
	}
	tn := accesses.TypeName(s.pkg.Info.TypeOf(sel.X))
	if tn == nil || tn.Pkg() == nil || tn.Pkg() == s.pkg.Types {
		return nil
	}
	return s.variable(sel.X)
}

// dropsFrom is the map from which the call deletes an entry; shared says whether that is like a sync.Map.
func (s *search) dropsFrom(call *ast.CallExpr) (counts *types.Var, shared bool) {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "delete" && s.pkg.Info.Types[call.Fun].IsBuiltin() {
		return s.variable(call.Args[0]), false
	}
	v := s.calledOnMap(call, countDrops)
	return v, v != nil
}

// getsAfter says whether the body looks into the map again after the call, as who makes sure that the
// count is still there does.
func (s *search) getsAfter(counts *types.Var, call *ast.CallExpr) bool {
	if slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return types.Object(o.Var.Obj) == types.Object(counts) && o.Mode == atomicity.Read && o.Pos() > call.Pos()
	}) {
		return true
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c.Pos() > call.End() {
			found = found || s.countIn(c, 0) == counts
		}
		return !found
	})
	return found
}
