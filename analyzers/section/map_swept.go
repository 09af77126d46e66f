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
)

// swept finds entries of a sync.Map that a function which goes through all of them finds
// to be out of date, and deletes by key, while another function stores a fresh one under
// such a key: the fresh one is deleted, which CompareAndDelete would leave.
//
//	m.Range(func(k, v any) bool {
//		if now.Sub(v.(entry).at) > ttl {
//			m.Delete(k) // elsewhere: m.Store(name, entry{at: time.Now()})
//		}
//		return true
//	})
func (s *search) swept() {
	if s.body.Func == nil || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	deletes := s.deletesWithin(s.body, nil)
	if len(deletes) == 0 {
		return
	}
	for _, v := range s.visits() {
		for _, gone := range deletes {
			if gone.place != v.place || s.before(gone, v.body) {
				continue
			}
			by := s.foundOld(v, gone.occurrence)
			if by == nil || s.lookedAtAfter(v, by, gone.occurrence) {
				continue
			}
			if w, in := s.freshened(gone.occurrence, v.held); w != nil {
				s.sweptAway(gone.occurrence, by, w, in)
				return
			}
		}
	}
}

func (s *search) sweptAway(gone *occurrence, by ast.Expr, w *occurrence, in *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, gone.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	c := s.direct("testuse", "sync-map", gone.source(), by.Pos(), gone.Pos())
	c.Roles = [2]string{"found out of date", "deleted"}
	c.Message = fmt.Sprintf("what is deleted from %s can be a fresh entry, which %s has stored under that key since the old one was looked at here: CompareAndDelete leaves it",
		s.pkg.Name(gone.Var), in.Fn.Name)
	if gone.via != nil {
		c.EndVia, c.EndWithin = gone.via, gone.where()
	}
	s.tell(c, gone, w.Access)
}

// deletesWithin are the deletions from sync.Maps in the body and in the literals inside.
func (s *search) deletesWithin(b *accesses.Body, list []placed) []placed {
	for _, o := range s.states[b].order {
		if o.Kind == access.SyncMap && o.Mode == atomicity.Write && (o.Method == "Delete" || o.Method == "LoadAndDelete" && s.unasked(o)) && !o.later && o.place.Valid() {
			list = append(list, placed{o, b})
		}
	}
	for _, lit := range b.Lits {
		list = s.deletesWithin(lit, list)
	}
	return list
}

// unasked says whether the body does not look at what LoadAndDelete has found.
func (s *search) unasked(o *occurrence) bool {
	call, ok := o.Expr.(*ast.CallExpr)
	if !ok {
		return false
	}
	taken := s.values.taken[call]
	if len(taken) == 0 {
		return true
	}
	id, ok := taken[0].(*ast.Ident)
	return ok && id.Name == "_"
}

// lookedAtAfter says whether the map is looked at once more between the condition and the
// deletion.
func (s *search) lookedAtAfter(v visit, by ast.Expr, gone *occurrence) bool {
	var look func(b *accesses.Body) bool
	look = func(b *accesses.Body) bool {
		return slices.ContainsFunc(s.states[b].order, func(o *occurrence) bool {
			return o.Kind == access.SyncMap && o.place == v.place && o != gone && o.Method != "Range" && o.Method != "Delete" && s.before(by, o) && s.before(o, gone)
		}) || slices.ContainsFunc(b.Lits, look)
	}
	return look(s.body)
}

// freshened is a store into the map by another function, whatever is there, or in the place of
// what it has found there, of something
// that is made by the clock, under a key that the function was given, and with no lock of
// those that are held where the old one is looked at and deleted.
func (s *search) freshened(gone *occurrence, around locks.Set) (*occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || !s.shared.Launched(b) && !s.shared.Entered(b) && !s.shared.Spawned(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, w := range s.order {
			if w.Kind != access.SyncMap || w.Mode != atomicity.Write || w.Var != gone.Var || w.Method != "Store" && w.Method != "Swap" && w.Method != "CompareAndSwap" || !alikePlace(w.place, gone.place) || s.reachOf(w) == shared.Private {
				continue
			}
			key, values := w.Key, stored(w.Access)
			if w.via != nil {
				key, values = w.keyArg, w.stores
			}
			if key == nil && len(w.via.Args) > 0 {
				key = w.via.Args[0]
			}
			if w.Method == "CompareAndSwap" && w.via == nil && len(values) == 2 {
				values = values[1:] // not the one that it has found
			}
			if !s.isGivenKey(key) || !slices.ContainsFunc(values, func(v ast.Expr) bool { return s.byClock(v, 0) }) || shareLock(w.held, gone.held, around) {
				continue
			}
			return w, b
		}
	}
	return nil, nil
}

// shareLock says whether a lock of one class is held at the write and, in some way, at
// the deletion or around it.
func shareLock(write, gone, around locks.Set) bool {
	for _, l := range locksOf(write) {
		same := func(m accesses.Place) bool { return locks.ClassOf(m) == locks.ClassOf(l) }
		if slices.ContainsFunc(locksOf(gone), same) || slices.ContainsFunc(locksOf(around), same) {
			return true
		}
	}
	return false
}

// alikePlace says whether the places are the same part of the same object, or of two
// objects of one type.
func alikePlace(a, b accesses.Place) bool {
	if a == b {
		return true
	}
	return a.Path == b.Path && a.Root != nil && b.Root != nil && accesses.TypeName(a.Root.Type()) != nil && accesses.TypeName(a.Root.Type()) == accesses.TypeName(b.Root.Type()) &&
		!types.Identical(a.Root.Type(), types.Typ[types.Invalid])
}
