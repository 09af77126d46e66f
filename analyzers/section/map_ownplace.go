package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// ownPlaces is takenPlaces where the function deletes the key at its own end, or puts the
// value there, or deletes it, by a method:
//
//	s.add(id, c) // ends the one that is there, and puts c in its place
//	defer s.remove(id)
//	serve(c)
func (s *search) ownPlaces() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	var deletes []*occurrence
	each := s.startedForEach()
	for _, put := range append(s.putsBelow(), s.order...) {
		if put.Mode != atomicity.Write || put.Kind != access.MapElement || put.Method != "" || put.Update != nil || put.lit || put.later || !s.stableKey(put) ||
			s.reachOf(put) < shared.Implied || s.shared.Single(s.body) && !(each && s.isGivenKey(put.Key)) || !s.putsInPlace(put) {
			continue
		}
		if deletes == nil {
			deletes = s.lateDeletes()
		}
		for _, del := range deletes {
			lock := s.deletesOwn(put, del)
			if !lock.Valid() {
				continue
			}
			_, strong, evidence := s.rivals(put.Var)
			if !strong && !each {
				continue
			}
			s.losesNext(put, del, lock, evidence)
			return
		}
	}
}

func (s *search) losesNext(put, del *occurrence, lock accesses.Place, evidence string) {
	c := s.direct("testuse", "unlock-relock", put.Access, put.Pos(), del.Pos())
	c.Evidence = evidence
	c.Roles = [2]string{"put in the place of another", "deleted"}
	c.Message = fmt.Sprintf("the next call puts its own in the place of this one, as this one does with what was in %s, and loses it where this one deletes the key under %s without a look",
		s.pkg.Name(put.Var), lock)
	if put.via != nil {
		c.Via, c.Within = put.via, put.where()
	}
	if del.via != nil {
		c.EndVia, c.EndWithin = del.via, del.where()
	}
	s.tell(c, put, del.Access)
}

// lateDeletes are the deletions of map entries that the body makes, by calls as well, and
// those that the literals make which it defers or starts.
func (s *search) lateDeletes() []*occurrence {
	list := []*occurrence{}
	add := func(st *bodyState) {
		for _, o := range st.order {
			if o.source().Method == "delete" && o.Kind == access.MapElement && o.Mode == atomicity.Write {
				list = append(list, o)
			}
		}
	}
	add(s.bodyState)
	for _, lit := range literalsIn(s.body) {
		add(s.states[lit])
	}
	return list
}

// literalsIn are the literals in the body, and those in them.
func literalsIn(b *accesses.Body) []*accesses.Body {
	var list []*accesses.Body
	for _, lit := range b.Lits {
		list = append(append(list, lit), literalsIn(lit)...)
	}
	return list
}

// stableKey says whether the key is told by the caller's words, which mean the same
// throughout the body.
func (s *search) stableKey(o *occurrence) bool {
	key := o.Key
	if o.via != nil {
		key = o.keyArg
	}
	if key == nil || o.key == "" || o.key == allKeys || strings.HasPrefix(o.key, "?") {
		return false
	}
	stable := true
	ast.Inspect(key, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, isVar := s.pkg.Info.ObjectOf(id).(*types.Var); isVar && !v.IsField() && len(s.values.assigns[v]) > 1 {
				stable = false
			}
		}
		return stable
	})
	return stable
}

// deletesOwn is the lock under which the entry is deleted later than it is put there, in
// another hold of it, and without a look at the map.
func (s *search) deletesOwn(put, del *occurrence) accesses.Place {
	none := accesses.Place{}
	if del.Var != put.Var || del.place != put.place || del.key != put.key || s.before(del, put) || !del.place.Valid() {
		return none
	}
	inBody := s.occ[del.Access] == del
	st := s.bodyState
	if inBody {
		if !s.leadsTo(put, del) || del.later && del.outer.Any() || !del.later && s.oneHold(put, del) {
			return none
		}
	} else {
		for _, lit := range literalsIn(s.body) {
			if s.states[lit].occ[del.Access] == del {
				st = s.states[lit]
			}
		}
	}
	if slices.ContainsFunc(st.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.Var == del.Var && o.place == del.place && (!inBody || s.before(put, o) && s.before(o, del) || o.via != nil && o.via == del.via)
	}) {
		return none
	}
	for _, l := range locksOf(put.held) {
		if held := del.lockOf(locks.ClassOf(l)); held.Valid() && del.held[held] == locks.Exclusive && put.held[l] == locks.Exclusive {
			return held
		}
	}
	return none
}
