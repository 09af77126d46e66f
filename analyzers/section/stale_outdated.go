package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// outdated finds values that one method computes from a variable under its lock, and that
// another stores in the same variable, or as its keys, under the lock taken anew, without
// a look: s.setState(s.nextState()). By then the variable may have changed. A value that
// is the variable's own is a load and store; see finding.loadAndStore.
func (s *search) outdated() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.Constructing(s.body) || s.shared.Single(s.body) {
		return
	}
	asked := map[*ast.CallExpr][]*occurrence{}
	var order []*ast.CallExpr
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || held.Any() || s.receiverOf(call) == (accesses.Place{}) {
			return
		}
		for _, first := range order {
			if first.Pos() > call.Pos() && first.End() > call.End() || s.receiverOf(first) != s.receiverOf(call) {
				continue
			}
			if read, w := s.storesAnswer(call, first, asked[first]); w != nil {
				s.isOutdated(first, call, read, w)
				return
			}
		}
		if reads := s.computedFrom(s.locks.Callee(call)); len(reads) > 0 {
			asked[call] = reads
			order = append(order, call)
		}
	})
}

func (s *search) isOutdated(first, second *ast.CallExpr, read, w *occurrence) {
	if _, strong, _ := s.rivals(w.Var); !strong {
		return
	}
	c := s.direct("testuse", "unlock-relock", read.source(), first.Pos(), second.Pos())
	c.Via, c.EndVia = first, second
	c.Roles = [2]string{"looked at", "written"}
	c.Message = fmt.Sprintf("what %s computes from %s can be out of date when %s stores it: the lock is released in between",
		types.ExprString(first.Fun), types.ExprString(w.source().Cell), types.ExprString(second.Fun))
	s.tell(c, read, w.source())
}

// receiverOf is the variable that a method of this package is called on.
func (s *search) receiverOf(call *ast.CallExpr) accesses.Place {
	fn := s.locks.Callee(call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.pkg.ByFunc[fn] == nil || fn.Signature().Recv() == nil {
		return accesses.Place{}
	}
	return s.pkg.PlaceOf(sel.X)
}

// computedFrom are the reads, under a lock of the receiver, of fields that the method does
// not write and that its results are computed from, or decided by.
func (s *search) computedFrom(fn *types.Func) []*occurrence {
	reads, known := s.computed[fn]
	if !known {
		reads = s.findComputedFrom(fn)
		s.computed[fn] = reads
	}
	return reads
}

func (s *search) findComputedFrom(fn *types.Func) []*occurrence {
	b := s.pkg.ByFunc[fn]
	if b == nil || fn.Signature().Results().Len() == 0 || len(b.CFG.Blocks) > maxBlocks {
		return nil
	}
	st := s.stateOf(b)
	flows := map[*access.Access]bool{}
	for _, events := range b.Events {
		for _, ev := range events {
			if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn {
				for _, e := range ret.Results {
					for a, plain := range st.values.of(e) {
						flows[a] = flows[a] || !plain
					}
				}
			}
		}
	}
	for _, conds := range b.Conds {
		for _, c := range conds {
			for a := range st.values.of(c) {
				flows[a] = true
			}
		}
	}
	var reads []*occurrence
	for _, o := range st.order {
		if o.Mode == atomicity.Read && o.via == nil && flows[o.Access] && o.place.Root == types.Object(fn.Signature().Recv()) && ownHold(o) != locks.Possible && !st.writes(o) {
			reads = append(reads, o)
		}
	}
	return reads
}

// ownHold is how a lock of the object that o is part of is held.
func ownHold(o *occurrence) locks.Mode {
	mode := locks.Possible
	for l, m := range o.held {
		if l.Root != nil && l.Root == o.place.Root {
			mode = max(mode, m)
		}
	}
	return mode
}

// storesAnswer is a write by the callee of call to a variable that first has read, of what
// it is given, where that is what first has returned.
func (s *search) storesAnswer(call, first *ast.CallExpr, reads []*occurrence) (read, w *occurrence) {
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	params := fn.Signature().Params()
	for i, arg := range call.Args {
		if i >= params.Len() || !s.isAnswer(arg, first) {
			continue
		}
		st := s.stateOf(b)
		for _, w := range st.order {
			if w.Mode != atomicity.Write || w.place.Root != types.Object(fn.Signature().Recv()) || ownHold(w) != locks.Exclusive || st.testedBefore(w) {
				continue
			}
			k := slices.IndexFunc(reads, func(r *occurrence) bool { return r.Var.Obj == w.Var.Obj })
			if k >= 0 && s.madeOfParam(st, w, params.At(i)) {
				return reads[k], w
			}
		}
	}
	return nil, nil
}

// isAnswer says whether the argument is the call's result, directly or by way of a local
// that is assigned once.
func (s *search) isAnswer(arg ast.Expr, call *ast.CallExpr) bool {
	if ast.Unparen(arg) == ast.Expr(call) {
		return true
	}
	id, ok := ast.Unparen(arg).(*ast.Ident)
	if !ok {
		return false
	}
	list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
	return len(list) == 1 && ast.Unparen(list[0].value) == ast.Expr(call)
}

// madeOfParam says whether the key or value that w stores comes from the parameter.
func (s *search) madeOfParam(st *bodyState, w *occurrence, param *types.Var) bool {
	if slices.Contains(st.paramsOf(s.pkg, st.body.Func.Signature(), w), param) {
		return true
	}
	made := w.stores
	if w.Key != nil {
		made = append(slices.Clone(made), w.Key)
	}
	for _, e := range made {
		if s.mentions(e, param) {
			return true
		}
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			for _, d := range st.values.assigns[s.pkg.Info.ObjectOf(id)] {
				if s.mentions(d.value, param) {
					return true
				}
			}
		}
	}
	return false
}
