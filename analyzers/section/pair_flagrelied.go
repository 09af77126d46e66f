package section

import (
	"fmt"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// ahead reports a flag that is raised in one critical section, and what it stands for set in a
// later one, where another function tests the flag and uses the other without a look, both in
// one:
//
//	l.mu.Lock(); l.connected = true; l.mu.Unlock()
//	l.mu.Lock(); l.conn = c; l.mu.Unlock()        // Send: if l.connected { l.conn.Write(p) }
//
// Others may lower the flag, and take the other away.
func (s *search) ahead(flag, w *occurrence) bool {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.awaits(flag, w) || !s.onlySetWith(flag, w) {
		return false
	}
	for _, l := range locksOf(flag.held) {
		class := locks.ClassOf(l)
		if l.Root != flag.place.Root || flag.held[l] != locks.Exclusive || !w.lockOf(class).Valid() {
			continue
		}
		in := s.reliesOnFlag(flag, w.Var)
		if in == nil {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, flag.Var, map[*accesses.Body]bool{in: true}); !strong {
			continue
		}
		c := s.direct("multivar", "multi-variable", flag.source(), flag.Pos(), w.Pos())
		c.Via, c.EndVia = flag.via, w.via
		c.EndName = s.pkg.Name(w.Var)
		c.Roles = [2]string{"raised", "set later"}
		c.Message = fmt.Sprintf("%s is raised in an earlier critical section than the one that sets %s: %s, which tests the one and uses the other, can come in between", flag.place, w.place, in.Fn.Name)
		s.tell(c, flag, w.source())
		return true
	}
	return false
}

// onlySetWith says whether others who store something in the variable of w handle the flag in the
// same critical section, or leave nothing there.
func (s *search) onlySetWith(flag, w *occurrence) bool {
	var by *accesses.Body
	if w.via != nil {
		by = s.pkg.ByFunc[s.locks.Callee(w.via)]
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, k := range s.ownAccesses(w.Var) {
		if k.Mode != atomicity.Write || k.body.Outermost() == current.body.Outermost() || k.body == by || s.shared.Constructing(k.body) {
			continue
		}
		s.bodyState = s.states[k.body]
		if values := stored(k.Access); len(values) == 1 && s.unsets(values[0]) {
			continue
		}
		beside := false
		for _, set := range s.holdsOf(k.body) {
			for _, o := range set[w.Var] {
				beside = beside || o.Access == k.Access && len(set[flag.Var]) > 0
			}
		}
		if !beside {
			return false
		}
	}
	return true
}

// reliesOnFlag is another function that uses the variable in the critical section that has found
// the flag raised, without a look whether it is set.
func (s *search) reliesOnFlag(flag *occurrence, v access.Var) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || !s.accessors(flag.Var.Obj)[b] || !s.accessors(v.Obj)[b] {
			continue
		}
		s.bodyState = s.states[b]
		for _, set := range s.holdsOf(b) {
			used := readsIn(set, v)
			for _, f := range readsIn(set, flag.Var) {
				if s.usedWhereRaised(f, used) {
					return b
				}
			}
		}
	}
	return nil
}

// usedWhereRaised says whether what is read is used where a test has found the flag raised, and
// is not tested itself.
func (s *search) usedWhereRaised(flag *occurrence, used []*occurrence) bool {
	for _, u := range used {
		if len(s.testsOf(u.Access, true)) > 0 || u.Method == "len" {
			return false
		}
	}
	for _, test := range s.testsOf(flag.Access, true) {
		for _, u := range used {
			ok, edge := s.decides(test, u.block)
			if !ok || len(s.body.Conds[test]) != 1 || !s.dereferenced(u) && !s.leaves(u) {
				continue
			}
			for _, p := range surely(s.body.Conds[test][0], edge == 0) {
				if p.holds && s.is(p.cond, flag.Access) {
					return true
				}
			}
		}
	}
	return false
}
