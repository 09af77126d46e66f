package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// thereOnly finds entries of a map that are deleted because of what was found in them in an
// earlier critical section, after a look whether there is an entry, but not at what is in it,
// while another function puts a new one in the place of the old:
//
//	s.mu.RLock(); e := s.m[k]; s.mu.RUnlock()
//	if e.expires.After(now) { return e }
//	s.mu.Lock()
//	if _, ok := s.m[k]; ok { s.n--; delete(s.m, k) } // Set: s.m[k] = fresh
func (s *search) thereOnly() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	if !slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Kind == access.MapElement && o.Mode == atomicity.Read && o.via == nil && o.held.Any()
	}) {
		return
	}
	for _, gone := range append(s.deletesBelow(), s.order...) {
		if gone.Mode != atomicity.Write || gone.source().Method != "delete" || gone.Kind != access.MapElement || gone.later || gone.lit || gone.depth > 1 || gone.key == allKeys || !gone.held.Excludes() || !s.asksIfThere(gone) {
			continue
		}
		for _, look := range s.order {
			if look.Mode != atomicity.Read || look.Kind != access.MapElement || look.via != nil || !look.sameInstance(gone) || look.key == allKeys || !s.leadsTo(look, gone) || s.oneHold(look, gone) || s.reachOf(look) < shared.Implied {
				continue
			}
			i := slices.IndexFunc(locksOf(look.held), func(l accesses.Place) bool { return gone.held[l] == locks.Exclusive })
			if i < 0 || !s.askedWhatItIs(look, gone) {
				continue
			}
			lock := locksOf(look.held)[i]
			w, in := s.putUnder(gone)
			if w == nil {
				continue
			}
			category := "unlock-relock"
			if look.held[lock] == locks.Shared {
				category = "rlock-upgrade"
			}
			c := s.direct("testuse", category, look.Access, look.Pos(), gone.Pos())
			c.Protected = lock.String()
			c.Roles = [2]string{"looked at", "deleted"}
			if gone.via != nil {
				c.EndVia, c.EndWithin = gone.via, gone.where()
			}
			c.Message = fmt.Sprintf("what is deleted from %s can be another entry than the one that was looked at here, which %s has put there since %s was released: later it is asked only whether there is one",
				types.ExprString(look.Cell), in.Fn.Name, lock)
			s.tell(c, look, gone.source())
			return
		}
	}
}

// deletesBelow are the deletions of map entries by methods that the body calls, which look at
// what is there first, at a key that they are given.
func (s *search) deletesBelow() []*occurrence {
	var list []*occurrence
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall {
			return
		}
		fn := s.locks.Callee(call)
		if fn == nil || s.pkg.ByFunc[fn] == nil || s.pkg.ByFunc[fn] == s.body {
			return
		}
		for _, w := range s.stateOf(s.pkg.ByFunc[fn]).order {
			if w.Mode != atomicity.Write || w.Kind != access.MapElement || w.via != nil || w.Method != "delete" {
				continue
			}
			pl := s.locks.ToCaller(call, fn, w.place)
			v, part := s.keyOf(fn, effect{occurrence: w})
			if !pl.Valid() || v == nil || part != "" {
				continue
			}
			a := *w.Access
			a.Expr, a.Stmt, a.Update = call, nil, nil
			a.Base, _ = pl.Root.(*types.Var)
			o := &occurrence{Access: &a, origin: w.Access, at: w.where(), via: call, depth: 1, block: block, index: index, place: pl,
				key: s.keyThrough(s.bodyState, call, fn, effect{occurrence: w}), held: maps.Clone(held), outer: held}
			for l, m := range w.held {
				if to := s.locks.ToCaller(call, fn, l); to.Valid() {
					o.held[to] = max(o.held[to], m)
				}
			}
			list = append(list, o)
		}
	})
	return list
}

// asksIfThere says whether the critical section of the deletion looks the key up once more, and
// all such looks, and those of the function that deletes, ask only whether there is an entry.
func (s *search) asksIfThere(gone *occurrence) bool {
	asked := false
	for _, r := range s.order {
		if r == gone || r.Mode != atomicity.Read || !r.sameInstance(gone) || r.Kind != access.MapElement || !s.leadsTo(r, gone) || !s.oneHold(r, gone) {
			continue
		}
		if r.via != nil && r.via == gone.via {
			continue
		}
		if asked = true; !s.asksForPresence(r) {
			return false
		}
	}
	if gone.via == nil {
		return asked
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	b := s.pkg.ByFunc[s.locks.Callee(gone.via)]
	if b == nil {
		return false
	}
	s.bodyState = s.stateOf(b)
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.Var == gone.Var && r.Kind == access.MapElement && r.via == nil {
			if asked = true; !s.asksForPresence(r) {
				return false
			}
		}
	}
	return asked
}

// askedWhatItIs says whether a condition on what is in the entry that was found decides whether
// control comes to the deletion.
func (s *search) askedWhatItIs(look, gone *occurrence) bool {
	var entries []types.Object
	for obj, list := range s.values.assigns {
		if !isBoolean(obj.Type()) && slices.ContainsFunc(list, func(d assignment) bool { return ast.Unparen(d.value) == ast.Unparen(look.Expr) }) {
			entries = append(entries, obj)
		}
	}
	for test, conds := range s.body.Conds {
		if slices.ContainsFunc(conds, func(c ast.Expr) bool { return s.asksForMore(c, look, entries, 0) }) {
			if ok, _ := s.decides(test, gone.block); ok {
				return true
			}
		}
	}
	return false
}

// putUnder is a store into the map by another function, under a key that it is given and a lock,
// whatever is there.
func (s *search) putUnder(gone *occurrence) (*occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(current.body, gone.Var, map[*accesses.Body]bool{b: true}); !strong {
			continue
		}
		s.bodyState = s.states[b]
		for _, w := range s.order {
			if w.Var != gone.Var || w.Mode != atomicity.Write || w.Kind != access.MapElement || w.via != nil || w.Method == "delete" || !w.held.Excludes() || s.reachOf(w) == shared.Private || !s.isGivenKey(w.Key) {
				continue
			}
			if !slices.ContainsFunc(s.order, func(r *occurrence) bool {
				return r.Mode == atomicity.Read && r.Var == w.Var && s.decided(s.testsOf(r.Access, false), w.block)
			}) {
				return w, b
			}
		}
	}
	return nil, nil
}
