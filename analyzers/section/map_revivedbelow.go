package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// revivedBelow is revived where a method lists the keys of the entries that it finds due,
// under a lock of its own, and the body deletes what is on the list:
//
//	for _, k := range c.stale(limit) {
//		c.mu.Lock()
//		delete(c.entries, k)
//		c.mu.Unlock()
//	}
func (s *search) revivedBelow() {
	if s.shared.Constructing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, gone := range s.order {
		if gone.source().Method != "delete" || gone.Kind != access.MapElement || gone.lit || gone.later || !gone.held.Any() || s.reachOf(gone) == shared.Private {
			continue
		}
		call := s.listedBy(gone)
		if call == nil || s.locksAt(call).Any() {
			continue
		}
		look, asked, by := s.listsDue(call, gone)
		if look == nil || s.looksAgain(gone, asked) {
			continue
		}
		if field, w, in := s.renewed(look, asked); w != nil {
			s.deletedThough(look, gone, by, field, w, in)
			return
		}
		if w, in := s.putAfresh(gone, asked); w != nil {
			s.replacedSince(look, gone, by, w, in)
			return
		}
	}
}

// listedBy is the call of a method of the package which returns the list that the key of
// gone, or what it is a field of, is taken from in a loop.
func (s *search) listedBy(gone *occurrence) *ast.CallExpr {
	key := gone.Key
	if gone.via != nil && len(gone.via.Args) > 0 {
		key = gone.via.Args[0]
	}
	if sel, ok := ast.Unparen(key).(*ast.SelectorExpr); ok {
		key = sel.X
	}
	id, ok := ast.Unparen(key).(*ast.Ident)
	if !ok {
		return nil
	}
	for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(id)] {
		from := ast.Unparen(d.value)
		if list, ok := from.(*ast.Ident); ok {
			if assigned := s.values.assigns[s.pkg.Info.ObjectOf(list)]; len(assigned) == 1 {
				from = ast.Unparen(assigned[0].value)
			}
		}
		if call, ok := from.(*ast.CallExpr); ok && isContainer(s.pkg.Info.TypeOf(call)) && s.pkg.ByFunc[s.locks.Callee(call)] != nil {
			return call
		}
	}
	return nil
}

// locksAt are the locks held at the call.
func (s *search) locksAt(call *ast.CallExpr) locks.Set {
	var at locks.Set
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		if ev.Kind == accesses.OnCall && ev.Node == ast.Node(call) {
			at = held
		}
	})
	return at
}

// listsDue is the loop over the map of gone by which the callee makes the list that it
// returns, the fields of the entries that it asks for, and the condition.
func (s *search) listsDue(call *ast.CallExpr, gone *occurrence) (look *occurrence, asked map[*types.Var]bool, by ast.Expr) {
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.via != nil || o.Var != gone.Var || !o.held.Any() || s.locks.ToCaller(call, fn, o.place) != gone.place {
			continue
		}
		loop := s.loopOver(o)
		if loop == nil || !s.returnsListed(loop) {
			continue
		}
		if asked, by := s.dueIn(loop); len(asked) > 0 {
			return o, asked, by
		}
	}
	return nil, nil, nil
}

// returnsListed says whether the body returns the list to which the loop adds its keys or
// values.
func (s *search) returnsListed(loop *ast.RangeStmt) bool {
	lists := map[types.Object]bool{}
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
			return true
		}
		list, isLocal := ast.Unparen(assign.Lhs[0]).(*ast.Ident)
		add, isCall := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		if !isLocal || !isCall || len(add.Args) < 2 {
			return true
		}
		for _, own := range []ast.Expr{loop.Key, loop.Value} {
			if own, ok := own.(*ast.Ident); ok && s.mentions(add.Args[1], s.pkg.Info.ObjectOf(own)) {
				lists[s.pkg.Info.ObjectOf(list)] = true
			}
		}
		return true
	})
	for v := range s.body.Func.Signature().Results().Variables() {
		if lists[v] {
			return true
		}
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok {
			for _, e := range ret.Results {
				id, ok := ast.Unparen(e).(*ast.Ident)
				found = found || ok && lists[s.pkg.Info.ObjectOf(id)]
			}
		}
		return !found
	})
	return found
}

// dueIn are the fields of the entries that conditions of the loop ask for, and the first
// of these conditions.
func (s *search) dueIn(loop *ast.RangeStmt) (asked map[*types.Var]bool, by ast.Expr) {
	asked = map[*types.Var]bool{}
	entry, _ := loop.Value.(*ast.Ident)
	if entry == nil {
		return asked, nil
	}
	entries := []types.Object{s.pkg.Info.ObjectOf(entry)}
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		if branch, ok := n.(*ast.IfStmt); ok {
			size := len(asked)
			if s.askFields(branch.Cond, entries, asked, 0); len(asked) > size && by == nil {
				by = branch.Cond
			}
		}
		return true
	})
	return asked, by
}
