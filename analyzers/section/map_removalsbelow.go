package section

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A keyRemoval is the deletion of the entry at a key that a function is given, whatever the
// entry is: the function asks at most whether there is one, and may return it.
//
//	func (c *Cache) take(key string) (Item, bool) {
//		it, ok := c.items[key]
//		if ok { delete(c.items, key) }
//		return it, ok
//	}
type keyRemoval struct {
	gone  *access.Access
	place accesses.Place // of the map, in terms of the function
	key   *types.Var     // the parameter
	held  locks.Set      // at the deletion, in terms of the function
	depth int
}

// removalsBelow are the deletions by calls of such functions, as if the body made them: since
// they test what they delete, they are no effects of the functions elsewhere.
func (s *search) removalsBelow() []*occurrence {
	var list []*occurrence
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || s.pkg.Contained(call) || slices.ContainsFunc(s.calls[call], func(o *occurrence) bool { return o.source().Method == "delete" }) {
			return
		}
		r := s.removesKey(s.locks.Callee(call), 0)
		if r == nil {
			return
		}
		to, arg := s.removalIn(call, r)
		if !to.Valid() || arg == nil {
			return
		}
		a := *r.gone
		a.Expr, a.Stmt, a.Update = call, nil, nil
		if v, ok := to.Root.(*types.Var); ok {
			a.Base = v
		}
		list = append(list, &occurrence{
			Access: &a, origin: r.gone, at: r.gone.Pos(), via: call, depth: r.depth + 1, block: block, index: index, place: to,
			key: s.values.keyText(s.values.original(arg)), keyArg: arg, outer: held, held: s.heldThrough(call, r, held),
		})
	})
	return list
}

// removalIn is the map in terms of the caller, and the argument that is the key.
func (s *search) removalIn(call *ast.CallExpr, r *keyRemoval) (accesses.Place, ast.Expr) {
	fn := s.locks.Callee(call)
	return s.locks.ToCaller(call, fn, r.place), s.locks.Argument(call, fn, r.key)
}

// heldThrough are the locks that are held at the deletion, in terms of the caller.
func (s *search) heldThrough(call *ast.CallExpr, r *keyRemoval, held locks.Set) locks.Set {
	all := maps.Clone(held)
	if all == nil {
		all = locks.Set{}
	}
	for l, m := range r.held {
		if to := s.locks.ToCaller(call, s.locks.Callee(call), l); to.Valid() && all[to] < m {
			all[to] = m
		}
	}
	return all
}

// removesKey is the removal that the function makes, itself or by a call; or nil.
func (s *search) removesKey(fn *types.Func, depth int) *keyRemoval {
	b := s.pkg.ByFunc[fn]
	if b == nil || depth > 2 || s.states[b] == nil || len(b.CFG.Blocks) > maxBlocks {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	var found *keyRemoval
	s.locks.Walk(b, func(block, index int, ev accesses.Event, held locks.Set) {
		var r *keyRemoval
		if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
			if below := s.removesKey(s.locks.Callee(call), depth+1); below != nil {
				to, arg := s.removalIn(call, below)
				r = &keyRemoval{below.gone, to, s.parameter(arg), s.heldThrough(call, below, held), below.depth + 1}
			}
		} else if a := ev.Access; a != nil && a.Kind == access.MapElement && a.Method == "delete" && a.Mode == atomicity.Write {
			r = &keyRemoval{a, s.pkg.PlaceOf(a.Cell), s.parameter(a.Key), held, 0}
		}
		if r != nil && r.key != nil && nameable(fn.Signature(), r.place) && !inCopy(r.place) && !s.readsMore(r) {
			found = r
		}
	})
	return found
}

// parameter is the parameter of the body's function that the expression is, or nil.
func (s *search) parameter(e ast.Expr) *types.Var {
	id := identOf(e)
	if id == nil {
		return nil
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || !s.isParameterOf(v) || len(s.values.assigns[v]) > 0 {
		return nil
	}
	return v
}

// readsMore says whether the body reads the map for more than whether the entry is there.
func (s *search) readsMore(r *keyRemoval) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.Var == r.gone.Var && o.source().Func != nil && !(o.via == nil && o.Kind == access.MapElement && s.asksForPresence(o))
	})
}
