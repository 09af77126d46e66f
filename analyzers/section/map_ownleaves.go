package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// ownLeaves finds methods by which an object, in its own goroutine and at its end, deletes the entry of a
// map that it is known by, whatever is there, while others look it up to stop it, which leaves the
// entry, and put a new one there without a look:
//
//	func (w *worker) finish() { w.pool.mu.Lock(); delete(w.pool.workers, w.task.Name); w.pool.mu.Unlock() }
//	func (p *pool) Stop(name string) { …; if w, ok := p.workers[name]; ok { w.stop() } }
//	func (p *pool) Start(t *task) { w := &worker{pool: p, task: t}; go w.run(); …; p.workers[t.Name] = w }
//
// Who is stopped and started again is taken off the map by the end of the former one.
func (s *search) ownLeaves() {
	for _, del := range s.order {
		if del.Method != "delete" || del.Kind != access.MapElement || del.Mode != atomicity.Write || del.via != nil || !del.held.Any() || !del.held.Excludes() || !del.Var.Obj.IsField() {
			continue
		}
		out := s.body.Outermost().Func
		if out == nil || out.Signature().Recv() == nil || del.place.Root != types.Object(out.Signature().Recv()) || !s.isOwnKey(del, out.Signature().Recv()) {
			continue
		}
		m, ok := del.Var.Obj.Type().Underlying().(*types.Map)
		if !ok || !types.Identical(m.Elem(), out.Signature().Recv().Type()) || !s.shared.Spawned(s.pkg.ByFunc[out]) || s.looksAround(takenOffMap{call: callOf(del.Expr), from: del.Var.Obj}) || s.asksOfItself(del) {
			continue
		}
		by := s.stopsFound(del.Var)
		if by == nil {
			continue
		}
		for _, b := range s.pkg.Bodies {
			if put := s.putsUnseen(b, del, m.Elem()); put != nil {
				if _, strong, _ := s.shared.RivalsAmong(s.body, del.Var, map[*accesses.Body]bool{b: true}); !strong {
					continue
				}
				c := s.direct("testuse", "unlock-relock", del.Access, del.Pos(), put.Pos())
				c.Roles = [2]string{"deleted", "put there"}
				c.Message = fmt.Sprintf("what %s puts into %s is deleted here by the end of the former one, which %s leaves there when it stops it: nothing looks whether it is still that one",
					b.Fn.Name, del.place, by.Fn.Name)
				s.tell(c, del, put.Access)
				return
			}
		}
	}
}

// isOwnKey says whether the key of the deletion is a part of the receiver.
func (s *search) isOwnKey(del *occurrence, recv *types.Var) bool {
	key := keyOf(del)
	if key == nil || comesOnce.MatchString(types.ExprString(key)) {
		return false
	}
	sel, ok := ast.Unparen(s.values.named(key)).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := baseOf(sel).(*ast.Ident)
	return ok && s.pkg.Info.ObjectOf(id) == types.Object(recv)
}

// comesOnce are the keys that are mostly used for one object only.
var comesOnce = pattern.New(`(?i)(seq|stream|req|call|msg|message|trace|span|job|uuid|nonce|token|conn|sess|chan|handle|fd|addr|tx|batch)`)

// asksOfItself says whether anything that is asked of the variables of the object, or of the map, decides
// about the deletion.
func (s *search) asksOfItself(del *occurrence) bool {
	return len(s.asksAbout(del.block)) > 0 || s.claims(del.block)
}

// stopsFound is a function that finds an object in the map, by a key which it is given, and calls what
// stops it, without taking it off the map.
func (s *search) stopsFound(m access.Var) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Func == nil || b.Outermost() == current.body.Outermost() {
			continue
		}
		s.bodyState = s.stateOf(b)
		for _, look := range s.order {
			if look.Var != m || look.Mode != atomicity.Read || look.Kind != access.MapElement || look.via != nil || !look.held.Any() || !s.isGivenKey(look.Key) {
				continue
			}
			if slices.ContainsFunc(s.order, func(o *occurrence) bool { return o.Var == m && o.Mode == atomicity.Write }) {
				continue
			}
			for _, obj := range s.holding(look) {
				if s.endsObject(obj) {
					return b
				}
			}
		}
	}
	return nil
}

// endsObject says whether the body calls a method of the object by which that comes to an end.
func (s *search) endsObject(obj types.Object) bool {
	for _, events := range s.body.Events {
		for _, ev := range events {
			call := callOf(ev.Node)
			if call == nil {
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || !endings.MatchString(sel.Sel.Name) && !ownEndings.MatchString(sel.Sel.Name) {
				continue
			}
			if id, ok := baseOf(sel.X).(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) == obj {
				return true
			}
		}
	}
	return false
}

// putsUnseen is where b puts an object that it has made into the map of the deletion, under a lock of the
// same class, at a key that it is given, without any look at what has the key, nor one of its callers'.
func (s *search) putsUnseen(b *accesses.Body, del *occurrence, elem types.Type) *occurrence {
	if b.Func == nil || b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) && b.Func.Signature().Recv() == nil {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	looks := func() bool {
		return slices.ContainsFunc(s.order, func(r *occurrence) bool {
			return r.Var == del.Var && r.Mode == atomicity.Read && r.Kind == access.MapElement && r.key != allKeys
		})
	}
	s.bodyState = s.stateOf(b)
	for _, w := range s.order {
		if w.Var != del.Var || w.Mode != atomicity.Write || w.Kind != access.MapElement || w.Method != "" || w.Update != nil || w.via != nil || w.later ||
			s.reachOf(w) < shared.Meant && s.reachOf(w) != shared.Implied || !s.isGivenKey(w.Key) || comesOnce.MatchString(types.ExprString(w.Key)) || !s.storesOwnMade(w) || looks() {
			continue
		}
		if !slices.ContainsFunc(locksOf(w.held), func(l accesses.Place) bool { return del.lockOf(locks.ClassOf(l)).Valid() }) {
			continue
		}
		for _, from := range s.callersOf(b.Func) {
			if s.bodyState = s.stateOf(from); looks() {
				return nil
			}
		}
		return w
	}
	return nil
}
