package section

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// writtenReading finds exported methods that take a lock for reading, write a field that no other
// function writes or reads, and return it, or the struct that it is a field of: those who call the
// method at the same time write it at the same time.
//
//	s.mu.RLock(); defer s.mu.RUnlock(); s.stats.rate = s.rate(); return s.stats
func (s *search) writtenReading() {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || s.shared.SetsGoing(s.body) || s.shared.Constructing(s.body) {
		return
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.inner || w.lit || w.Update != nil || !s.onlyReading(w) || s.reachOf(w) < shared.Meant {
			continue
		}
		if recv, ok := w.place.Root.(*types.Var); !ok || !s.isReceiver(recv) {
			continue
		}
		lock := w.held.Places()[0]
		if lock.Root != w.place.Root || !s.handles(s.body, lock) || !s.heldForWriting(locks.ClassOf(lock)) || s.accessedElsewhere(w.Var) {
			continue
		}
		read := s.readAfter(w, lock)
		if read == nil {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{s.body: true}); !strong {
			continue
		}
		c := s.direct("discipline", "write-under-rlock", w.Access, w.Pos(), read.Pos())
		c.Roles = [2]string{"written", "read"}
		c.Message = fmt.Sprintf("%s is written here with %s held for reading only: those who call %s at the same time write it at the same time, and what is read afterwards may be theirs",
			w.place, lock, s.body.Fn.Name)
		s.tell(c, w, w.Access)
		return // one tells about the others
	}
}

// heldForWriting says whether some function accesses something with a lock of the class held for
// writing: the lock keeps people out.
func (s *search) heldForWriting(class string) bool {
	for _, st := range s.states {
		for _, o := range st.order {
			if l := o.lockOf(class); l.Valid() && o.held[l] == locks.Exclusive {
				return true
			}
		}
	}
	return false
}

// accessedElsewhere says whether another function accesses the variable.
func (s *search) accessedElsewhere(v access.Var) bool {
	for b, st := range s.states {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		for _, o := range st.order {
			if o.Var == v && o.via == nil {
				return true
			}
		}
	}
	return false
}

// readAfter is a read of what w writes, or of a struct around it, after w and under the same lock.
func (s *search) readAfter(w *occurrence, lock accesses.Place) *occurrence {
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.via == nil && !r.lit && r.place.Root == w.place.Root && s.leadsTo(w, r) && r.held[lock] == locks.Shared &&
			(r.place.Path == w.place.Path || r.place.Path != "" && strings.HasPrefix(w.place.Path, r.place.Path+".")) {
			return r
		}
	}
	return nil
}
