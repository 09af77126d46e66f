package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// broughtTo is the state to which the body sets the variable of w, itself, if that is known.
func (s *search) broughtTo(w *occurrence) (state stateSeen, known bool) {
	values := stored(w.Access)
	if w.via != nil || w.Update != nil || len(values) != 1 {
		return stateSeen{}, false
	}
	if v := s.constantOf(values[0]); v != nil {
		return stateSeen{w, v, true}, true
	}
	if leadsFurther(w) && s.present(values[0], w) {
		return stateSeen{w, nothing, false}, true
	}
	return stateSeen{}, false
}

// present says whether the value that is used at the occurrence is not nil: it has been made, or
// a function has returned it that has not returned an error with it.
func (s *search) present(e ast.Expr, at *occurrence) bool {
	e = ast.Unparen(e)
	if (&finding{search: s}).makes(e) {
		return true
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		return true
	case *ast.CallExpr:
		fn := s.locks.Callee(e)
		return fn != nil && fn.Signature().Results().Len() == 1 && makers.MatchString(fn.Name())
	case *ast.Ident:
		obj := s.pkg.Info.ObjectOf(e)
		list := s.values.assigns[obj]
		if v, ok := obj.(*types.Var); !ok || len(list) == 0 || v.IsField() || accesses.IsGlobal(v) || s.isParameterOf(v) || s.captures(v) {
			return false
		}
		made := !slices.ContainsFunc(list, func(d assignment) bool {
			_, local := ast.Unparen(d.value).(*ast.Ident)
			return local || d.onto || !s.present(d.value, at)
		})
		return s.givenOnTheWay(list, at) && (made || s.givenWithoutError(obj, list, at))
	}
	return false
}

// makers are the names of functions that return what they make.
var makers = pattern.New(`^(?i:new|make)`)

// captures says whether a function literal in the body assigns to the local.
func (s *search) captures(v *types.Var) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return !found
		}
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			if assign, ok := n.(*ast.AssignStmt); ok {
				found = found || slices.ContainsFunc(assign.Lhs, func(l ast.Expr) bool {
					id, ok := ast.Unparen(l).(*ast.Ident)
					return ok && s.pkg.Info.ObjectOf(id) == types.Object(v)
				})
			}
			return !found
		})
		return false
	})
	return found
}

// givenOnTheWay says whether control comes to the occurrence only by one of the assignments.
func (s *search) givenOnTheWay(list []assignment, at *occurrence) bool {
	without := map[int]bool{}
	for block, events := range s.body.Events {
		for index, ev := range events {
			if ev.Kind != accesses.OnAssign || ev.Node == nil || !slices.ContainsFunc(list, func(d assignment) bool { return ev.Node.Pos() <= d.value.Pos() && d.value.End() <= ev.Node.End() }) {
				continue
			}
			if block != at.block {
				without[block] = true
			} else if index < at.index {
				return true
			}
		}
	}
	seen := map[int]bool{}
	work := []int{0}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || without[b] {
			continue
		}
		if seen[b] = true; b == at.block {
			return false
		}
		for _, succ := range s.body.CFG.Blocks[b].Succs {
			work = append(work, int(succ.Index))
		}
	}
	return true
}

// givenWithoutError says whether each of the assignments takes an error beside the value of the
// local, and a test of that leads to the occurrence where there is none.
func (s *search) givenWithoutError(local types.Object, list []assignment, at *occurrence) bool {
	var failed types.Object
	last := token.NoPos
	for _, d := range list {
		call, ok := ast.Unparen(d.value).(*ast.CallExpr)
		if !ok {
			return false
		}
		to := s.values.taken[call]
		if len(to) < 2 || d.onto {
			return false
		}
		err, ok := ast.Unparen(to[len(to)-1]).(*ast.Ident)
		if first, named := ast.Unparen(to[0]).(*ast.Ident); !ok || !named || s.pkg.Info.ObjectOf(first) != local {
			return false
		}
		obj := s.pkg.Info.ObjectOf(err)
		if obj == nil || !isError(obj.Type()) || failed != nil && failed != obj {
			return false
		}
		failed, last = obj, max(last, d.at)
	}
	return s.errorFound(failed, last, at, false)
}

// errorFound says whether a test of the error, after the position and before it is assigned
// anew, leads to the occurrence where there is one, or is none, as wanted.
func (s *search) errorFound(err types.Object, last token.Pos, at *occurrence, wanted bool) bool {
	for test, conds := range s.body.Conds {
		decides, edge := s.decides(test, at.block)
		if !decides || test == at.block || len(conds) != 1 {
			continue
		}
		for _, p := range surely(conds[0], edge == 0) {
			b, ok := ast.Unparen(p.cond).(*ast.BinaryExpr)
			if !ok || b.Op != token.EQL && b.Op != token.NEQ || !s.pkg.Info.Types[b.Y].IsNil() || (b.Op == token.NEQ) == p.holds != wanted {
				continue
			}
			id, ok := ast.Unparen(b.X).(*ast.Ident)
			if !ok || s.pkg.Info.ObjectOf(id) != err {
				continue
			}
			asked := s.pkg.Order(id.Pos())
			if last <= asked && !slices.ContainsFunc(s.values.assigns[err], func(d assignment) bool { return last < d.at && d.at <= asked }) {
				return true
			}
		}
	}
	return false
}

// maybeNil says whether some function stores nil in the field, or what may be nil.
func (s *search) maybeNil(v access.Var) bool {
	if v.Obj.Exported() || v.Contents {
		return true
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if s.bodyState = s.states[b]; s.shared.Constructing(b) {
			continue
		}
		for _, w := range s.order {
			if w.Var != v || w.Mode != atomicity.Write || w.via != nil || s.reachOf(w) == shared.Private {
				continue
			}
			if state, known := s.broughtTo(w); !known || state.equal || w.Kind != access.Cell {
				return true
			}
		}
	}
	return false
}
