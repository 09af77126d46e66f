package section

import (
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
)

// lately is what was asked of the body that is looked at just now, again and again in a long one.
// That of other bodies is forgotten, since all of it together would take too much memory.
type lately struct {
	body   *accesses.Body
	walked []walked
	holds  map[*occurrence]map[position]bool // where a lock is still held that was at the occurrence
}

// walked is an event with the locks that are held before it, and where it comes in the text.
type walked struct {
	ev   accesses.Event
	held locks.Set
	at   token.Pos
}

type position struct{ block, index int }

// recent is that of the body that is searched.
func (s *search) recent() *lately {
	if s.lately.body != s.body {
		s.lately = lately{body: s.body, holds: map[*occurrence]map[position]bool{}}
	}
	return &s.lately
}

// oneHold says whether a lock is held from one access to the other.
func (s *search) oneHold(from, to *occurrence) bool {
	holds := s.recent().holds
	reached, ok := holds[from]
	if !ok {
		reached = map[position]bool{}
		holds[from] = reached
		s.onward(from, func(block, index int, _ accesses.Event, held locks.Set) bool {
			if held.Any() {
				reached[position{block, index}] = true
			}
			return !held.Any() // what is released does not come back
		})
	}
	return reached[position{to.block, to.index}]
}

// meanwhile says whether some event of the body at a position from one to the
// other is as wanted.
func (s *search) meanwhile(from, to token.Pos, wanted func(ev accesses.Event, held locks.Set) bool) bool {
	last := s.recent()
	if last.walked == nil {
		last.walked = []walked{}
		s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
			last.walked = append(last.walked, walked{ev, held, s.pkg.Order(ev.Pos())})
		})
	}
	start, end := s.pkg.Order(from), s.pkg.Order(to)
	for _, w := range last.walked {
		if start < w.at && w.at < end && wanted(w.ev, w.held) {
			return true
		}
	}
	return false
}
