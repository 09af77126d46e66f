package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// drain finds writes that reset to zero what was read before, while others keep
// adding to it: what they add in between is neither in the value read nor left
// in the variable. Neither is what they ask for by it; see forgets. A Swap whose result is thrown
// away does no more than a Store.
func (f *finding) drain() {
	below := f.entry.via != nil // by a getter
	if below && (f.entry.depth > 1 || f.entry.lit || !f.keepsResult()) || !below && !f.keepsValue() {
		return
	}
	var ends []*hit
	for _, h := range f.trail.hits {
		if h.Mode != atomicity.Write || f.taken[h.Access] || h.via != nil && (!below || h.depth > 1 || h.lit || h.later || f.takesAll(h)) || h.source().Update != nil || rmw(h.source()) && !(strings.HasPrefix(h.source().Method, "Swap") && f.unseen(h.occurrence)) || h.passed {
			continue
		}
		values := stored(h.source())
		if len(values) == 1 && f.unsets(values[0]) {
			ends = append(ends, h)
		}
	}
	if len(ends) > 0 && (!f.accumulates() || f.turnsAway()) {
		ends = slices.DeleteFunc(ends, func(h *hit) bool { return !f.forgets(h) })
	}
	if len(ends) == 0 {
		return
	}
	for _, h := range ends {
		f.taken[h.Access] = true
	}
	f.candidate(atomicity.LoadAndStore, ends, true)
}

// printing are the names of functions that show a number to people.
var printing = pattern.New(`(?i)log|print|debug|warn|error|fatal|trace|format`)

// keepsValue says whether the entry's value is kept in a local, for use: by an assignment,
// copied into it, or element by element in a loop; or handed on, if it is an atomic one.
func (f *finding) keepsValue() bool {
	switch s := f.entry.Stmt.(type) {
	case *ast.AssignStmt:
		for i, r := range s.Rhs {
			if len(s.Lhs) != len(s.Rhs) {
				return false
			}
			if f.isLocal(s.Lhs[i]) && f.values.of(r)[f.entry.Access] && !f.comparesOnly(r) {
				return true
			}
		}
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		into, from := f.values.copyOf(call)
		if into != nil && f.values.of(from)[f.entry.Access] {
			return true
		}
		return f.entry.Kind == access.Atomic && !printing.MatchString(types.ExprString(call.Fun)) &&
			slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return f.values.of(a)[f.entry.Access] })
	}
	return false
}

// comparesOnly says whether the expression is true or false, as a comparison of the entry's value is,
// and no variable of that type: the value itself is not kept.
func (f *finding) comparesOnly(e ast.Expr) bool {
	return isBoolean(f.pkg.Info.TypeOf(e)) && !isBoolean(f.entry.Var.Obj.Type()) && f.entry.Kind == access.Cell
}

// keepsResult says whether what the getter returns is kept in a local, or gone through.
func (f *finding) keepsResult() bool {
	kept := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			kept = kept || len(n.Lhs) == len(n.Rhs) && slices.ContainsFunc(n.Rhs, func(r ast.Expr) bool { return ast.Unparen(r) == ast.Expr(f.entry.via) })
		case *ast.RangeStmt:
			kept = kept || ast.Unparen(n.X) == ast.Expr(f.entry.via)
		}
		return !kept
	})
	t := f.pkg.Info.TypeOf(f.entry.via)
	return kept && t != nil && types.Identical(t.Underlying(), f.entry.Var.Obj.Type().Underlying()) && f.values.of(f.entry.via)[f.entry.Access]
}

// takesAll says whether what sets the variable back also reads it: it hands out what there
// is.
func (f *finding) takesAll(h *hit) bool {
	return slices.ContainsFunc(f.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.Var == f.entry.Var && r.via != nil && r.via == h.via
	})
}

// isLocal says whether the expression is a local variable.
func (s *search) isLocal(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	return ok && !accesses.IsGlobal(v)
}

// accumulates says whether another body adds to the variable.
func (f *finding) accumulates() bool {
	for _, b := range f.pkg.Bodies {
		if b == f.body {
			continue
		}
		st := f.states[b]
		for _, o := range st.order {
			if f.addsEntry(o) {
				return true
			}
			if o.Var != f.entry.Var || o.Mode != atomicity.Write || o.via != nil {
				continue
			}
			if o.Update != nil || o.Kind == access.Atomic && adds(o.Access) {
				return true
			}
			for _, e := range stored(o.Access) {
				for a := range st.values.of(e) {
					if a.Var == o.Var && !st.ofAnother(a, o) {
						return true
					}
				}
			}
		}
	}
	return false
}

// ofAnother says whether the read is of the variable of another object than the write's: what
// is copied from there is not added to what is here.
func (st *bodyState) ofAnother(a *access.Access, w *occurrence) bool {
	r := st.occ[a]
	return r != nil && r.place.Valid() && w.place.Valid() && r.place.Root != w.place.Root
}

// addsEntry says whether o stores an entry of the map that the entry has read.
func (f *finding) addsEntry(o *occurrence) bool {
	return o.Kind == access.MapElement && o.Mode == atomicity.Write && o.via == nil && o.Method != "delete" &&
		o.Var.Obj == f.entry.Var.Obj && o.Var.Contents && !f.entry.Var.Contents && o.held.Excludes() && f.entry.held.Any()
}

// turnsAway says whether the body sets a flag of the object in the critical section of the
// entry, as who ends it does: nothing is added from then on.
func (f *finding) turnsAway() bool {
	return slices.ContainsFunc(f.order, func(w *occurrence) bool {
		values := stored(w.source())
		return w.Mode == atomicity.Write && w.place.Root == f.entry.place.Root && len(values) == 1 && isBoolean(f.pkg.Info.TypeOf(values[0])) &&
			f.pkg.Info.Types[values[0]].Value != nil && (f.oneHold(w, f.entry) || f.oneHold(f.entry, w))
	})
}

// isZero says whether e is nil, 0, "" or an empty slice or map.
func (s *search) isZero(e ast.Expr) bool {
	tv := s.pkg.Info.Types[e]
	if tv.IsNil() {
		return true
	}
	if tv.Value != nil {
		switch tv.Value.Kind() {
		case constant.Int, constant.Float:
			return constant.Sign(tv.Value) == 0
		case constant.String:
			return constant.StringVal(tv.Value) == ""
		}
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		if len(e.Elts) > 0 {
			return false
		}
		switch s.values.underlying(e).(type) {
		case *types.Slice, *types.Map:
			return true
		}
	case *ast.SliceExpr: // x[:0]
		return e.High != nil && s.isZero(e.High) && e.Low == nil
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "make"
	}
	return false
}

// extreme says whether the test compares, by order, the entry's value with the
// very value that the end stores: a running maximum or minimum.
func (f *finding) extreme(end *hit) bool {
	values := stored(end.Access)
	if end.via != nil {
		values = end.stores
	}
	if len(values) == 0 {
		return false
	}
	kept := f.plainText(values[len(values)-1])
	for _, test := range f.trail.tests {
		if ok, _ := f.decides(test, end.block); !ok {
			continue
		}
		for _, cond := range f.body.Conds[test] {
			found := false
			ast.Inspect(cond, func(n ast.Node) bool {
				b, ok := n.(*ast.BinaryExpr)
				if !ok {
					return true
				}
				switch b.Op {
				case token.LSS, token.GTR, token.LEQ, token.GEQ:
					if _, mine := f.values.of(b.X)[f.entry.Access]; mine && f.plainText(b.Y) == kept {
						found = true
					}
					if _, mine := f.values.of(b.Y)[f.entry.Access]; mine && f.plainText(b.X) == kept {
						found = true
					}
				}
				return true
			})
			if found && f.pkg.Info.Types[values[len(values)-1]].Value == nil {
				return true
			}
		}
	}
	return false
}

// plainText is the text of e without conversions.
func (f *finding) plainText(e ast.Expr) string {
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return types.ExprString(ast.Unparen(e))
		}
		if tv, ok := f.pkg.Info.Types[call.Fun]; !ok || !tv.IsType() {
			return types.ExprString(call)
		}
		e = call.Args[0]
	}
}

// dropped finds atomic additions whose result is thrown away and looked up
// again by Load: another addition may come first, and the result that the test
// waits for is seen twice or never.
func (s *search) dropped() {
	for _, add := range s.order {
		if add.Kind != access.Atomic || !strings.HasPrefix(add.Method, "Add") || !s.unseen(add) {
			continue
		}
		_, strong, evidence := s.shared.Rivals(s.body, add.Var)
		for _, load := range s.order {
			if load.Mode != atomicity.Read || load.Kind != access.Atomic || !load.sameInstance(add) || load.block != add.block || load.index < add.index || s.between(add, load) ||
				(s.called(add) || s.called(load)) && (s.oneHold(add, load) || s.reachOf(load) == shared.Private) {
				continue
			}
			ends := s.lastEnds(add, load)
			if !strong && !ends {
				continue
			}
			f := finding{search: s, entry: load, trail: &trail{}}
			for _, test := range s.testsOf(load.Access, true) {
				if !s.compares(test, load) || !ends && !f.actsAfter(test) {
					continue
				}
				c := s.direct("testuse", "atomic-check-then-act", add.Access, add.Pos(), load.Pos())
				if add.via != nil {
					c.Via, c.Within = add.via, add.where()
				}
				if load.via != nil {
					c.EndVia, c.EndWithin = load.via, load.where()
				}
				c.Ends = []*access.Access{load.Access}
				c.Evidence = evidence
				c.Sure = true
				name := types.ExprString(load.Cell)
				if load.via != nil {
					name = load.place.String()
				}
				c.Message = "the result of " + add.Method + " is dropped and " + name +
					" is loaded again: another goroutine can change it in between, and two can see the same result, or none"
				s.found = append(s.found, c)
			}
			break
		}
	}
}

// called says whether the access is made by a function that is called, be it one that stands in the place of its calls.
func (s *search) called(o *occurrence) bool {
	call, _ := s.pkg.Put(o.Expr)
	return o.via != nil || call != nil
}

// between says whether the block makes another access to the instance, or waits
// for others, from a to b.
func (s *search) between(a, b *occurrence) bool {
	for _, ev := range s.body.Events[a.block][a.index+1 : b.index] {
		switch ev.Kind {
		case accesses.OnSend, accesses.OnReceive, accesses.OnGo:
			return true
		case accesses.OnCall:
			if call := ev.Node.(*ast.CallExpr); call != a.Expr && call != b.Expr && !(&finding{search: s}).harmless(call) {
				return true
			}
		}
	}
	return false
}

// unseen says whether the result of the addition is thrown away, where it is made and, if that is
// in a function that is called, by the call as well.
func (s *search) unseen(add *occurrence) bool {
	source := add.source()
	stmt, ok := source.Stmt.(*ast.ExprStmt)
	if !ok || ast.Unparen(stmt.X) != source.Expr || add.depth > 1 || add.later || add.lit {
		return false
	}
	return add.via == nil || s.isStatement(add.via)
}

// compares says whether the test asks for one exact value of what is loaded, itself or by what
// it calls: n.ready(), which returns n.left.Load() == 0.
func (s *search) compares(test int, load *occurrence) bool {
	exact := func(e ast.Expr) bool {
		b, ok := ast.Unparen(e).(*ast.BinaryExpr)
		return ok && (b.Op == token.EQL || b.Op == token.NEQ || b.Op == token.LEQ)
	}
	if slices.ContainsFunc(s.body.Conds[test], exact) {
		return true
	}
	if load.via == nil || load.depth > 1 {
		return false
	}
	b := s.pkg.ByFunc[s.locks.Callee(load.via)]
	if b == nil || len(b.Block.List) != 1 {
		return false
	}
	ret, ok := b.Block.List[0].(*ast.ReturnStmt)
	return ok && len(ret.Results) == 1 && exact(ret.Results[0])
}
