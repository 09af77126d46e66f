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

// receiverRemoves is a goroutine that receives from the channel, and removes from the map the
// entry of what it has received.
func (s *search) receiverRemoves(ch, v access.Var) *accesses.Body {
	return s.remover(v, func(b *accesses.Body) bool {
		return b.Outermost() != s.body.Outermost() && s.shared.Spawned(b) && s.receivesFrom(b, ch)
	}, func(d assignment) bool {
		from := ast.Unparen(d.value)
		if u, ok := from.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			from = u.X
		}
		return s.variable(from) == ch.Obj
	})
}

// goroutineRemoves is the goroutine that begins with the call, if it removes from the map the
// entry of what it was given when it is done, and waits for nobody before.
func (s *search) goroutineRemoves(call *ast.CallExpr, v access.Var) *accesses.Body {
	b := s.begunBy(call)
	if b == nil || s.waitsForOthers(b) {
		return nil
	}
	return s.remover(v, func(in *accesses.Body) bool { return in == b }, func(assignment) bool { return false })
}

// remover is a body, of those that may, which removes from the map an entry whose key comes
// from a parameter, from the receiver, from a captured variable, or from an assignment that the
// other function knows.
func (s *search) remover(v access.Var, may func(*accesses.Body) bool, from func(assignment) bool) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if !may(b) {
			continue
		}
		s.bodyState = s.stateOf(b)
		if slices.ContainsFunc(s.order, func(o *occurrence) bool {
			return o.Mode == atomicity.Write && o.Var == v && removesEntry(o.source()) && s.keyComesFrom(o, from)
		}) {
			return b
		}
	}
	return nil
}

// keyComesFrom says whether what o removes from a map is named by what the body was given.
func (s *search) keyComesFrom(o *occurrence, from func(assignment) bool) bool {
	keys := []ast.Expr{o.source().Key}
	if o.via != nil && !o.lit {
		if keys = o.via.Args; o.keyArg != nil {
			keys = []ast.Expr{o.keyArg}
		} else if sel, ok := ast.Unparen(o.via.Fun).(*ast.SelectorExpr); ok && len(keys) == 0 {
			keys = []ast.Expr{sel.X}
		}
	}
	for _, key := range keys {
		if key == nil {
			continue
		}
		locals := map[types.Object]bool{}
		s.localsOf(key, 3, locals)
		for v := range locals {
			if !s.declaredInside(v) || slices.ContainsFunc(slices.Concat(s.values.assigns[v], s.values.filled[v]), from) {
				return true
			}
		}
		ast.Inspect(key, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if v, isVar := s.pkg.Info.ObjectOf(id).(*types.Var); ok && isVar && s.isReceiver(v) {
				locals[v] = true
			}
			return true
		})
		if fn := s.body.Func; fn != nil && locals[fn.Signature().Recv()] {
			return true
		}
	}
	return false
}

// declaredInside says whether the local is declared in the block of the body: it is no
// parameter, and not captured.
func (s *search) declaredInside(v types.Object) bool {
	return s.body.Block.Pos() <= v.Pos() && v.Pos() < s.body.Block.End()
}

// begunBy is the body of the goroutine that begins with the call, or nil.
func (s *search) begunBy(call *ast.CallExpr) *accesses.Body {
	if b := s.pkg.ByNode[ast.Unparen(call.Fun)]; b != nil {
		return b
	}
	return s.pkg.ByFunc[s.locks.Callee(call)]
}

// waitsForOthers says whether the body, or what it calls in this package, waits for a channel,
// for a group or for a condition: who started it may come to what it does next before.
func (s *search) waitsForOthers(b *accesses.Body) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		_, isLit := n.(*ast.FuncLit)
		found = found || n != nil && s.awaitsGoroutines(n, true)
		return !isLit && !found
	})
	return found
}

// sendsOut says whether the call sends something, by a method of what the object has.
func (s *search) sendsOut(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !sendings.MatchString(sel.Sel.Name) || len(call.Args) == 0 {
		return false
	}
	if fn := s.locks.Callee(call); fn == nil || fn.Signature().Recv() == nil {
		return false
	}
	on := s.pkg.PlaceOf(sel.X)
	v, ok := on.Root.(*types.Var)
	return ok && (isPackageLevel(v) || s.isReceiver(v) || s.body.Outermost().Func != nil && v == s.body.Outermost().Func.Signature().Recv())
}

var sendings = pattern.New(`^(?i:send|write|publish|transmit|emit|post|request)`)

// answers is another function that looks in the map for who waits, and signals to what it has
// found, as it comes in.
func (s *search) answers(v access.Var) *accesses.Body {
	if !waitable(v.Obj.Type()) {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.stateOf(b)
		for _, o := range s.order {
			if o.Var != v || o.Mode != atomicity.Read || o.via != nil || o.Kind != access.MapElement && o.Kind != access.SyncMap || s.shared.Reach(b, o.Access) == shared.Private {
				continue
			}
			if s.signalsTo(o) {
				return b
			}
		}
	}
	return nil
}

// waitable says whether the entries of the map are channels, or have one.
func waitable(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return accesses.TypeName(t) != nil && accesses.TypeName(t).Name() == "Map" // of any values
	}
	elem := m.Elem()
	if p, ok := elem.Underlying().(*types.Pointer); ok {
		elem = p.Elem()
	}
	switch e := elem.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Struct:
		for f := range e.Fields() {
			switch f.Type().Underlying().(type) {
			case *types.Chan, *types.Signature:
				return true
			}
		}
	}
	return false
}

// signalsTo says whether the body sends on, closes or calls what look has found, or a field of it.
func (s *search) signalsTo(look *occurrence) bool {
	is := func(e ast.Expr) bool {
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
			e = sel.X
		}
		if _, ok := s.values.of(e)[look.Access]; ok {
			return true
		}
		return false
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			switch n := ev.Node.(type) {
			case *ast.SendStmt:
				if is(n.Chan) {
					return true
				}
			case *ast.CallExpr:
				if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && len(n.Args) == 1 {
					if bi, ok := s.pkg.Info.Uses[id].(*types.Builtin); ok && bi.Name() == "close" && is(n.Args[0]) {
						return true
					}
				}
				if s.locks.Callee(n) == nil && is(n.Fun) {
					return true
				}
			}
		}
	}
	return false
}
