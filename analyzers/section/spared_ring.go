package section

import (
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

const oneAtEachEnd = "a ring mostly has one who puts in and one who takes out"

// A cursor is an atomic number in an object, by the way that leads to it.
type cursor struct {
	v    access.Var
	path string
}

// atRing says whether the entry is a cursor of a ring, and the end moves it: another one is of the
// same type, functions of the package look at both and move one of them, each of the two by a plain
// store, and none moves both, or moves one of them in one step.
//
//	head, tail := r.head.Load(), r.tail.Load()
//	if tail-head == size { return false }
//	…
//	r.tail.Store(tail + 1)
//
// The other's cursor is never ahead of what it was, and the own one has no other who moves it, for
// as long as one puts in and one takes out: whoever writes it so has meant that, and a CompareAndSwap
// is what many need. Not where the package itself has many goroutines come here.
func (f *finding) atRing(end *hit) bool {
	if f.entry.Kind != access.Atomic || end.Kind != access.Atomic || !f.reckonsOn(end) || f.shared.InLoop(f.body) || f.shared.Begins(f.body) {
		return false
	}
	mine := cursor{f.entry.Var, f.entry.place.Path}
	alone := map[cursor]bool{}  // those that a function alone moves that looks at mine too
	beside := map[cursor]bool{} // those that a function looks at that alone moves mine
	for _, b := range f.pkg.Bodies {
		looks, moves, ok := f.cursors(b, mine)
		if !ok {
			return false
		}
		if len(moves) != 1 {
			continue
		}
		for c := range moves {
			if looks[mine] && c != mine && looks[c] {
				alone[c] = true
			}
			for other := range looks {
				if c == mine && other != mine && looks[mine] {
					beside[other] = true
				}
			}
		}
	}
	for c := range alone {
		if beside[c] && types.Identical(c.v.Obj.Type(), mine.v.Obj.Type()) {
			return true
		}
	}
	return false
}

// cursors are the atomics that the body looks at and moves; it is not ok where it moves mine in one
// step, or mine and another after a look.
func (f *finding) cursors(b *accesses.Body, mine cursor) (looks, moves map[cursor]bool, ok bool) {
	looks, moves = map[cursor]bool{}, map[cursor]bool{}
	for _, o := range f.states[b].order {
		if o.Kind != access.Atomic || o.place.Root == nil {
			continue
		}
		c := cursor{o.Var, o.place.Path}
		switch {
		case o.Mode == atomicity.Read:
			looks[c] = true
		case strings.HasPrefix(o.source().Method, "Store"):
			moves[c] = true
		case c == mine:
			return nil, nil, false
		}
	}
	return looks, moves, len(moves) < 2 || !moves[mine] || len(looks) == 0
}
