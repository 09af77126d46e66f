package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// untold finds functions that take a picture of a variable in one critical section and put
// somebody on the list of those who are told of its changes in a later one: a change in
// between is neither in the picture nor told. The other way round, it is both.
func (s *search) untold() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	pictured := map[*occurrence]bool{} // what was found out of looks
	for _, reg := range s.order {
		if reg.Mode != atomicity.Write || reg.lit || reg.later || !reg.Var.Obj.IsField() || !s.ownLockOf(reg, reg.held) || !s.adds(reg) || s.reachOf(reg) == shared.Private {
			continue
		}
		for _, look := range s.order {
			if look.Mode != atomicity.Read || look.lit || look.Var.Obj == reg.Var.Obj || !look.Var.Obj.IsField() || look.Kind != access.Atomic && !s.ownLockOf(look, look.held) ||
				!look.place.Beside(reg.place) ||
				!s.leadsTo(look, reg) || s.oneHold(look, reg) || s.readFrom(reg, look.Var.Obj) {
				continue
			}
			if s.sleepsUnless(look, reg) {
				if w, in := s.publishes(look.Var.Obj, reg.Var.Obj); w != nil && s.overtakes(w, look, reg) {
					s.overslept(look, reg, w, in)
					return
				}
			}
			shows, known := pictured[look]
			if !known {
				shows = s.pictured(look)
				pictured[look] = shows
			}
			if !shows {
				continue
			}
			if w, in := s.publishes(look.Var.Obj, reg.Var.Obj); w != nil && !s.hears(reg, in) {
				s.leftUntold(look, reg, w, in)
				return
			}
		}
	}
}

// hears says whether the critical section of reg looks at a flag first that the one who
// tells of the change sets.
func (s *search) hears(reg *occurrence, in *accesses.Body) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && isFlag(r.Var) && r.place.Root == reg.place.Root && s.oneHold(r, reg) && s.decided(s.testsOf(r.Access, true), reg.block) &&
			slices.ContainsFunc(s.states[in].order, func(w *occurrence) bool {
				return w.Mode == atomicity.Write && w.Var == r.Var
			})
	})
}

func (s *search) leftUntold(look, reg, w *occurrence, in *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	c := s.direct("multivar", "multi-variable", look.source(), look.Pos(), reg.Pos())
	c.Via, c.EndVia = look.via, reg.via
	c.EndName = s.pkg.Name(reg.source().Var)
	c.Roles = [2]string{"looked at", "added to"}
	when := "in an earlier critical section than the one"
	if look.Kind == access.Atomic {
		when = "before the critical section"
	}
	c.Message = fmt.Sprintf("%s is looked at %s that adds to %s: what %s changes in between is neither seen nor told",
		look.place, when, reg.place, in.Fn.Name)
	s.tell(c, look, reg.source())
}

// adds says whether the write adds something to a map or list.
func (s *search) adds(w *occurrence) bool {
	switch w.Var.Obj.Type().Underlying().(type) {
	case *types.Map, *types.Slice:
		return s.isGrowth(&occurrence{Access: w.source()})
	}
	return false
}

// readFrom says whether the variable is read in the critical section of reg, or after it.
func (s *search) readFrom(reg *occurrence, v *types.Var) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.Var.Obj == v && (s.leadsTo(reg, o) || s.oneHold(o, reg))
	})
}

// pictured says whether what look has read is returned, sent, stored in an object, or handed,
// as a whole or one by one, to a function that the body was given.
func (s *search) pictured(look *occurrence) bool {
	found := false
	is := func(list ...ast.Expr) {
		for _, e := range list {
			_, ok := s.values.of(e)[look.Access]
			found = found || ok && !isBoolean(s.pkg.Info.TypeOf(e))
		}
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			is(n.Results...)
		case *ast.SendStmt:
			is(n.Value)
		case *ast.RangeStmt:
			if s.handsEach(n) {
				is(n.X)
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if _, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) {
					is(n.Rhs[i])
				}
			}
		case *ast.CallExpr:
			if id := identOf(n.Fun); id != nil {
				if v, ok := s.pkg.Info.Uses[id].(*types.Var); ok && s.body.Func != nil && isParameterOf(s.body.Func, v) {
					is(n.Args...)
				}
			}
		case *ast.CompositeLit:
			for _, el := range n.Elts {
				if kv, ok := el.(*ast.KeyValueExpr); ok {
					is(kv.Value)
				}
			}
		}
		return !found
	})
	return found
}

// publishes is where another function changes the variable under a lock of the object, and
// walks through the list, in the same critical section, to tell all who are on it; or changes it
// atomically before it takes the lock for that.
func (s *search) publishes(v, list *types.Var) (*occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if !s.accessors(v)[b] || !s.accessors(list)[b] || b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		var change *occurrence
		walks := false
		for _, set := range s.holdsOf(b) {
			change, walks = nil, false
			for _, o := range s.order {
				if o.Mode == atomicity.Write && o.Kind == access.Atomic && o.Var.Obj == v && o.via == nil {
					change = o
				}
			}
			for _, accesses := range set {
				for _, o := range accesses {
					switch {
					case o.Mode == atomicity.Write && o.Var.Obj == v && o.via == nil:
						change = o
					case o.Mode == atomicity.Read && o.Var.Obj == list && o.via == nil:
						walks = walks || (change == nil || change.Kind != access.Atomic || s.leadsTo(change, o)) && s.tellsEach(o)
					}
				}
			}
			if change != nil && walks {
				return change, b
			}
		}
	}
	return nil, nil
}

// accessors are the bodies that access the variable, or what it holds, themselves.
func (s *search) accessors(v *types.Var) map[*accesses.Body]bool {
	if s.accessedIn == nil {
		s.accessedIn = map[*types.Var]map[*accesses.Body]bool{}
		for _, b := range s.pkg.Bodies {
			for _, o := range s.states[b].order {
				if o.via == nil && s.accessedIn[o.Var.Obj] == nil {
					s.accessedIn[o.Var.Obj] = map[*accesses.Body]bool{}
				}
				if o.via == nil {
					s.accessedIn[o.Var.Obj][b] = true
				}
			}
		}
	}
	return s.accessedIn[v]
}

// tellsEach says whether o is the list that a loop walks through, to send something to each
// or to call it; the loop may be in what the body calls.
func (s *search) tellsEach(o *occurrence) bool {
	if o.via != nil && !o.lit {
		if b := s.pkg.ByFunc[s.locks.Callee(o.via)]; b != nil && b.Outermost() != s.body.Outermost() && len(b.CFG.Blocks) <= maxBlocks {
			below := false
			s.inState(b, func() {
				below = slices.ContainsFunc(s.order, func(w *occurrence) bool {
					return w.Mode == atomicity.Read && w.via == nil && w.Var.Obj == o.Var.Obj && s.tellsEach(w)
				})
			})
			if below {
				return true
			}
		}
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok {
			return !found
		}
		if _, copied := s.values.of(loop.X)[o.Access]; !copied && (o.Pos() < loop.X.Pos() || loop.X.End() <= o.Pos()) {
			return !found
		}
		found = s.callsEach(loop)
		return !found
	})
	return found
}

// callsEach says whether the loop sends something to what it walks through, or calls it.
func (s *search) callsEach(loop *ast.RangeStmt) bool {
	var each []types.Object
	for _, e := range []ast.Expr{loop.Key, loop.Value} {
		if id, ok := e.(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) != nil {
			each = append(each, s.pkg.Info.ObjectOf(id))
		}
	}
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		var to ast.Expr
		switch n := n.(type) {
		case *ast.SendStmt:
			to = n.Chan
		case *ast.ExprStmt:
			if !s.deletes(n.X) {
				to = n.X
			}
		case *ast.GoStmt:
			to = n.Call
		case *ast.CallExpr:
			to = n.Fun
			found = found || slices.ContainsFunc(each, func(v types.Object) bool { return s.endsGiven(n, v) })
		}
		found = found || to != nil && slices.ContainsFunc(each, func(v types.Object) bool { return s.mentions(to, v) })
		return !found
	})
	return found
}

// endsGiven says whether the call hands the object to a function of the package that ends it: calls its Close, or
// the like.
func (s *search) endsGiven(call *ast.CallExpr, v types.Object) bool {
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	if b == nil || fn.Signature().Variadic() {
		return false
	}
	for i, arg := range call.Args {
		if id, ok := ast.Unparen(arg).(*ast.Ident); !ok || s.pkg.Info.ObjectOf(id) != v || i >= fn.Signature().Params().Len() {
			continue
		}
		param, ends := fn.Signature().Params().At(i), false
		ast.Inspect(b.Block, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				sel, isSel := ast.Unparen(c.Fun).(*ast.SelectorExpr)
				ends = ends || isSel && endings.MatchString(sel.Sel.Name) && s.mentions(sel.X, param)
			}
			return !ends
		})
		if ends {
			return true
		}
	}
	return false
}

// handsEach says whether the loop hands what it goes through to a function that the body
// was given.
func (s *search) handsEach(loop *ast.RangeStmt) bool {
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && s.isParameter(id) {
			for _, v := range []ast.Expr{loop.Key, loop.Value} {
				each, ok := v.(*ast.Ident)
				found = found || ok && slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return s.mentions(a, s.pkg.Info.ObjectOf(each)) })
			}
		}
		return !found
	})
	return found
}
