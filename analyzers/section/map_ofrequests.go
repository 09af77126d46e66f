package section

import (
	"fmt"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// mapsOfRequests finds plain maps that each request changes, or each of many goroutines, and for which nobody
// ever holds a lock:
//
//	func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.seen[r.RemoteAddr] = time.Now() }
//
// Two at once end the program, whatever they store.
func (s *search) mapsOfRequests() {
	if !s.shared.Launched(s.body) && !s.shared.Contracted(s.body) || s.shared.Constructing(s.body) {
		return
	}
	going := s.shared.SetsGoing(s.body)
	told := map[access.Var]bool{}
	for _, w := range s.order {
		if w.via != nil || w.Mode != atomicity.Write || w.Kind != access.MapElement || len(w.held) > 0 || told[w.Var] || w.place.Root == nil || w.Var.Obj == nil || !s.ofSeveral(w) || !s.plainMap(w) || s.madeAnew(w) || going && !s.capturedLocal(w) {
			continue
		}
		told[w.Var] = true
		if s.lockedAnywhere(w.Var) || s.toldOfFlag(w.Var) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{s.body: true}); !strong {
			continue
		}
		c := s.direct("discipline", "unguarded-access", w.Access, w.Pos(), w.Pos())
		c.Roles = [2]string{"changed", "changed by another goroutine"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is changed here by goroutines of which there are many, and no lock is ever held for it: two of them at once end the program (concurrent map writes)", s.pkg.Name(w.Var))
		s.tell(c, w, w.Access)
	}
}

// plainMap says whether o is an access to an element of a built-in map.
func (s *search) plainMap(o *occurrence) bool {
	_, ok := o.Var.Obj.Type().Underlying().(*types.Map)
	return ok && !o.like
}

// ofSeveral says whether o is to something that the many goroutines which run the body have in common, for sure:
// a loop starts them with it, or it is the object of a handler, or has a contract. A type with a lock is meant for
// several, and yet each connection may have an object of it, and a goroutine that alone does this.
func (s *search) ofSeveral(o *occurrence) bool {
	return s.reachOf(o) == shared.Shared || s.shared.Contracted(s.body) && s.isReceiver(o.Base)
}
