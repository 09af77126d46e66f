package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// putsBelow are the writes of map entries by methods that the body calls, which look at
// what is there first.
func (s *search) putsBelow() []*occurrence {
	var list []*occurrence
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || held.Any() {
			return
		}
		fn := s.locks.Callee(call)
		if fn == nil || s.pkg.ByFunc[fn] == nil || s.pkg.ByFunc[fn] == s.body {
			return
		}
		for _, w := range s.stateOf(s.pkg.ByFunc[fn]).order {
			if w.Mode != atomicity.Write || w.Kind != access.MapElement || w.via != nil || w.Method != "" {
				continue
			}
			pl := s.locks.ToCaller(call, fn, w.place)
			v, _ := s.keyOf(fn, effect{occurrence: w})
			if !pl.Valid() || v == nil {
				continue
			}
			a := *w.Access
			a.Expr, a.Stmt, a.Update = call, nil, nil
			a.Base, _ = pl.Root.(*types.Var)
			a.Key = s.locks.Argument(call, fn, v)
			o := &occurrence{Access: &a, origin: w.Access, at: w.where(), via: call, depth: 1, block: block, index: index, place: pl,
				key: s.keyThrough(s.bodyState, call, fn, effect{occurrence: w}), keyArg: a.Key, held: locks.Set{}, outer: held}
			for l, m := range w.held {
				if to := s.locks.ToCaller(call, fn, l); to.Valid() {
					o.held[to] = m
				}
			}
			list = append(list, o)
		}
	})
	return list
}

// putsInPlace says whether the write, here or in what is called, comes after a look at
// what is there, whatever that has found, and does not wait for its owner to end.
func (s *search) putsInPlace(put *occurrence) bool {
	if put.via == nil {
		key := s.localKey(put)
		return key != (heldKey{}) && s.replaces(put, key) && !s.waitsBetween(s.body, s.body.Block.Pos(), put.Pos())
	}
	b := s.pkg.ByFunc[s.locks.Callee(put.via)]
	if b == nil || put.depth > 1 {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		if o.Mode != atomicity.Write || o.via != nil || o.Pos() != put.where() {
			return false
		}
		key := s.localKey(o)
		return key != (heldKey{}) && s.replaces(o, key) && !s.waitsBetween(b, b.Block.Pos(), o.Pos())
	})
}

// startedForEach says whether callers from outside start goroutines with the body, each
// for something that they hand over: there are as many as there are calls.
func (s *search) startedForEach() bool {
	if s.startedBy == nil {
		s.startedBy = map[*types.Func]bool{}
		for _, from := range s.pkg.Bodies {
			if from.Func != nil && s.shared.Entered(from) && !s.shared.Constructing(from) {
				s.startsForEach(from)
			}
		}
	}
	return s.body.Func != nil && s.startedBy[s.body.Func]
}

// startsForEach adds the functions with which the body starts goroutines that it hands a
// parameter of its own.
func (s *search) startsForEach(from *accesses.Body) {
	ast.Inspect(from.Block, func(n ast.Node) bool {
		begin, ok := n.(*ast.GoStmt)
		if !ok {
			return true
		}
		fn := s.locks.Callee(begin.Call)
		if fn == nil {
			return true
		}
		for _, arg := range begin.Call.Args {
			for v := range from.Func.Signature().Params().Variables() {
				if (s.isObject(arg, v) || s.madeAround(arg, v)) && types.TypeString(v.Type(), nil) != "context.Context" {
					s.startedBy[fn] = true
				}
			}
		}
		return true
	})
}

// madeAround says whether the argument is a struct made there with the value of v in it.
func (s *search) madeAround(arg ast.Expr, v *types.Var) bool {
	e := ast.Unparen(arg)
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(u.X)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		if s.isObject(el, v) {
			return true
		}
	}
	return false
}
