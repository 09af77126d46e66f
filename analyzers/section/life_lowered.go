package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lowered is dismantled for flags that say that something is there, and that are unset when it
// goes, and for what a callee uses:
//
//	if !s.open.Load() { return errClosed }
//	s.mu.RLock()
//	return s.data[i] // Close: s.mu.Lock(); s.open.Store(false); s.data = nil
func (s *search) lowered() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.Constructing(s.body) || s.recovers() {
		return
	}
	for _, e := range s.order {
		if e.Mode != atomicity.Read || e.depth > 1 || e.held.Any() || !e.place.Valid() || !s.isSwitch(e) || s.reachOf(e) < shared.Meant || s.inFlight(e.Pos()) {
			continue
		}
		for _, test := range s.testsOf(e.Access, true) {
			set := s.setEdge(test, e.Var.Obj)
			if set < 0 {
				continue
			}
			for _, u := range s.order {
				if u.Kind != access.Cell && u.Kind != access.Element || u.Mode != atomicity.Read || u.depth > 1 || u.place.Root != e.place.Root || u.Var.Obj == e.Var.Obj || s.pkg.Order(u.Pos()) < s.pkg.Order(e.Pos()) {
					continue
				}
				if decides, edge := s.decides(test, u.block); !decides || edge != set || !s.needsIt(u) || s.lookedAtAgain(e, u) {
					continue
				}
				for _, l := range u.held.Places() {
					if l.Root != u.place.Root || u.held[l] == locks.Possible {
						continue
					}
					if gone, in := s.takesApart(e.Var, access.Var{Obj: u.Var.Obj}, locks.ClassOf(l), s.lowers); gone != nil {
						s.admitted(e, u, gone, l, in, "unset")
						return
					}
				}
			}
		}
	}
}

// lowers says whether the write sets a flag to false or 0.
func (s *search) lowers(w *occurrence) bool {
	values := stored(w.source())
	return len(values) > 0 && s.pkg.Info.Types[values[len(values)-1]].Value != nil && s.zero(values[len(values)-1])
}

// setEdge is the successor, 0 or 1, to which the test leads where the flag is set, or -1.
func (s *search) setEdge(test int, flag types.Object) int {
	if len(s.body.CFG.Blocks[test].Succs) != 2 || len(s.body.Conds[test]) != 1 {
		return -1
	}
	switch s.flagSense(s.body.Conds[test][0], flag, 0) {
	case 1:
		return 0
	case -1:
		return 1
	}
	return -1
}

// flagSense is 1 if e is the flag, or holds where it is set, -1 if it holds where the flag is unset,
// and 0 if it is something else: by itself, by a local, or by a function that returns no more.
func (s *search) flagSense(e ast.Expr, flag types.Object, depth int) int {
	if depth > 6 {
		return 0
	}
	e = ast.Unparen(e)
	if v := s.variable(e); v != nil && v == flag {
		return 1
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		switch e.Op {
		case token.NOT:
			return -s.flagSense(e.X, flag, depth+1)
		case token.AND:
			return s.flagSense(e.X, flag, depth+1)
		}
	case *ast.BinaryExpr:
		value := s.pkg.Info.Types[e.Y].Value
		if value == nil || e.Op != token.EQL && e.Op != token.NEQ {
			return 0
		}
		is := s.flagSense(e.X, flag, depth+1)
		if s.zero(e.Y) || value.Kind() == constant.Bool && !constant.BoolVal(value) {
			is = -is
		}
		if e.Op == token.NEQ {
			is = -is
		}
		return is
	case *ast.Ident:
		if list := s.values.assigns[s.pkg.Info.ObjectOf(e)]; len(list) == 1 {
			return s.flagSense(list[0].value, flag, depth+1)
		}
	case *ast.CallExpr:
		fn := s.locks.Callee(e)
		switch {
		case fn == nil || fn.Pkg() == nil:
		case access.IsAtomic(fn.Pkg().Path()):
			if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && len(e.Args) == 0 && fn.Name() == "Load" {
				return s.flagSense(sel.X, flag, depth+1)
			} else if len(e.Args) == 1 {
				return s.flagSense(e.Args[0], flag, depth+1)
			}
		default:
			if b := s.pkg.ByFunc[fn]; b != nil && len(b.Block.List) == 1 {
				if ret, ok := b.Block.List[0].(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
					return s.flagSense(ret.Results[0], flag, depth+1)
				}
			}
		}
	}
	return 0
}

// needsIt says whether the use would not do with nil: it fails on it, as the selection of a field and
// the index of a slice do, in the body or in the function that it calls, which do not ask first.
func (s *search) needsIt(u *occurrence) bool {
	if u.via == nil {
		return s.fails(u) || s.indexed(u)
	}
	b := s.pkg.ByFunc[s.locks.Callee(u.via)]
	if b == nil || s.states[b] == nil || s.asksOf(u.Var.Obj) {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Var.Obj == u.Var.Obj && o.via == nil && o.Mode == atomicity.Read && o.Kind == access.Cell && (s.fails(o) || s.indexed(o))
	})
}

// indexed says whether the body takes an element of the slice that u reads, and asks nowhere whether
// it is nil or how long it is.
func (s *search) indexed(u *occurrence) bool {
	if _, ok := u.Var.Obj.Type().Underlying().(*types.Slice); !ok || s.asksOf(u.Var.Obj) {
		return false
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		x, ok := n.(*ast.IndexExpr)
		found = found || ok && ast.Unparen(x.X) == u.Expr
		return !found
	})
	return found
}

// asksOf says whether the body looks at the length of the variable, walks through it, sets it, or
// compares it with nil.
func (s *search) asksOf(v types.Object) bool {
	found := false
	is := func(e ast.Expr) bool {
		is := s.variable(e)
		return is != nil && is == v
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			found = found || ok && (id.Name == "len" || id.Name == "cap") && len(n.Args) == 1 && is(n.Args[0])
		case *ast.RangeStmt:
			found = found || is(n.X)
		case *ast.BinaryExpr:
			found = found || is(n.X) || is(n.Y)
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		}
		return !found
	})
	return found
}
