package section

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// oneLock finds accesses without any lock to a field of an object that has one lock, or to a variable of
// a package that has one, for all that changes of it: nothing of what others change under the lock is
// changed without it. That tells more of a field than the few places that access it.
func (s *search) oneLock() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || s.lastOfAll() || s.builds() || s.formatsUnasked() {
		return
	}
	reported := map[access.Var]bool{}
	for _, o := range s.order {
		if o.via != nil || len(o.held) > 0 || reported[o.Var] || !o.place.Valid() || !o.Var.Obj.IsField() && !accesses.IsGlobal(o.Var.Obj) || s.reachOf(o) < shared.Meant || s.waitedBefore(o) || s.logged(o) || s.madeAnew(o) {
			continue
		}
		if o.Kind != access.Cell && o.Kind != access.MapElement && o.Kind != access.MapWhole || o.Kind == access.Cell && o.Mode == atomicity.Read && !(s.shows(o) && severalWords(o.Var.Obj.Type())) {
			continue
		}
		whole, parts, known := s.wholeOf(o)
		if !known {
			continue
		}
		keeper, class := s.heldFor(o)
		if keeper.occurrence == nil || !s.guardsAll(parts, class) || s.saidHere(o) || s.setOnce(o.Var) && o.Mode == atomicity.Read || s.leftState(o) || s.announcedFirst(o) || s.neverRead(o) || s.boundFirst(o.Var) {
			continue
		}
		if _, strong, _ := s.shared.Rivals(s.body, o.Var); !strong {
			continue
		}
		reported[o.Var] = true
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
		c.Roles = [2]string{"accessed without the lock", "accessed with it"}
		c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, class)
		c.Message = fmt.Sprintf("%s is accessed here without a lock, and in %s under %s, the one lock of %s, which guards all else that changes of it",
			types.ExprString(o.Expr), keeper.body.Fn.Name, keeper.lockOf(class), whole)
		s.tell(c, o, keeper.Access)
	}
}

// wholeOf is what the variable is a part of, if that has one lock: its name, and what else it consists of.
func (s *search) wholeOf(o *occurrence) (name string, parts []*types.Var, ok bool) {
	if !accesses.IsGlobal(o.Var.Obj) {
		owner := s.ownerOf(o)
		if owner == nil || mutexes(owner.Type()) != 1 {
			return "", nil, false
		}
		return owner.Name(), accesses.Fields(owner.Type()), true
	}
	pkg, mutexes := o.Var.Obj.Pkg(), 0
	for _, name := range pkg.Scope().Names() {
		v, isVar := pkg.Scope().Lookup(name).(*types.Var)
		switch {
		case !isVar:
		case isMutex(v.Type()):
			mutexes++
		default:
			parts = append(parts, v)
		}
	}
	return "package " + pkg.Name(), parts, mutexes == 1
}

// mutexes counts the mutexes that are fields of an object of the type, or of what is
// embedded in it.
func mutexes(t types.Type) int {
	n := 0
	for _, f := range accesses.Fields(t) {
		switch {
		case isMutex(f.Type()):
			n++
		case f.Embedded():
			n += mutexes(f.Type())
		}
	}
	return n
}

// isMutex says whether the type is a mutex, or a pointer to one.
func isMutex(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && tn.Pkg() != nil && tn.Pkg().Path() == "sync" && (tn.Name() == "Mutex" || tn.Name() == "RWMutex")
}

// heldFor is an access that another function makes to the variable of o under a lock of
// the object itself, if all do: a write, unless o itself changes what it has found; and
// the class of the lock.
func (s *search) heldFor(o *occurrence) (placed, string) {
	var keeper placed
	class := ""
	others := map[*accesses.Body]bool{}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, k := range s.ownAccesses(o.Var) {
		s.bodyState = s.states[k.body]
		if k.body.Outermost() == current.body.Outermost() || s.reachOf(k.occurrence) == shared.Private || o.Mode == atomicity.Write && k.Mode == atomicity.Read && len(k.held) == 0 && answersAlone(k.body) {
			continue
		}
		lock := accesses.Place{}
		for _, l := range locksOf(k.held) {
			if (l.Root == k.place.Root || accesses.IsGlobal(k.place.Root) && beside(l, k.place)) && (class == "" || locks.ClassOf(l) == class) {
				lock = l
			}
		}
		if !lock.Valid() || k.Mode == atomicity.Write && k.held[lock] != locks.Exclusive || s.byCount(k.occurrence) {
			return placed{}, ""
		}
		class = locks.ClassOf(lock)
		others[k.body.Outermost()] = true
		if keeper.occurrence == nil || k.Mode == atomicity.Write && keeper.Mode != atomicity.Write {
			keeper = k
		}
	}
	s.bodyState = current
	switch {
	case keeper.occurrence == nil:
	case o.Mode == atomicity.Read && (len(others) < 2 || keeper.Mode != atomicity.Write):
		return placed{}, ""
	case o.Mode == atomicity.Write && keeper.Mode != atomicity.Write && !s.changesFound(o) && (len(others) < 2 || !s.goesOnUnder(o, class)):
		return placed{}, "" // a setting, perhaps made before others come
	}
	return keeper, class
}

// changesFound says whether the write makes the new value of the old one: x.n++, an
// append, an entry of a map.
func (s *search) changesFound(w *occurrence) bool {
	if w.Update != nil || w.Kind != access.Cell {
		return true
	}
	for _, v := range stored(w.Access) {
		for a := range s.values.of(v) {
			if r := s.occ[a]; r != nil && r.sameInstance(w) {
				return true
			}
		}
	}
	return false
}

// guardsAll says whether two functions at least, other than this one, change what is given, parts of one
// whole, under locks of the class, and no part that is changed so is changed without it.
func (s *search) guardsAll(parts []*types.Var, class string) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	writers := map[*accesses.Body]bool{}
	for _, f := range parts {
		kept, free := map[*accesses.Body]bool{}, false
		for _, contents := range []bool{false, true} {
			for _, w := range s.ownAccesses(access.Var{Obj: f.Origin(), Contents: contents}) {
				s.bodyState = s.states[w.body]
				if w.Mode != atomicity.Write || w.Kind == access.Atomic || w.body.Outermost() == current.body.Outermost() || s.reachOf(w.occurrence) == shared.Private {
					continue
				}
				if l := w.lockOf(class); l.Valid() && w.held[l] == locks.Exclusive {
					kept[w.body.Outermost()] = true
				} else {
					free = true
				}
			}
		}
		if free && len(kept) > 0 {
			return false
		}
		for b := range kept {
			writers[b] = true
		}
	}
	return len(writers) >= 2
}

// saidHere says whether something is reported already of what the function does to the
// variable.
func (s *search) saidHere(o *occurrence) bool {
	return slices.ContainsFunc(s.found, func(c *Candidate) bool {
		return c.Sure && c.Variable == o.Var && c.Entry != nil && c.Entry.Func == o.Func
	})
}
