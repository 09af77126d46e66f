package section

import (
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

const startsObject = "it starts the object, which is done once, and whoever else has the variable takes the lock for writing, and waits for it"

// startsUnderRead says whether the candidate lies in a method that starts its object, with a lock held for
// reading, and all other functions that access the variable hold one for writing:
//
//	func (t *task) Start(ctx context.Context) { t.mu.RLock(); defer t.mu.RUnlock(); t.ctx = ctx; … }
//	func (t *task) Stop()                     { t.mu.Lock(); defer t.mu.Unlock(); … }
//
// Two that start one object would be a mistake of their own.
func (s *search) startsUnderRead(c *Candidate) bool {
	if c.Category != "write-under-rlock" && c.Category != "unguarded-access" || c.Entry == nil {
		return false
	}
	around := s.around(c.Pos)
	if len(around) == 0 || !s.readsHeldAt(around[len(around)-1], c.Pos) {
		return false
	}
	fn := around[0].Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil || !starting.MatchString(fn.Name()) {
		return false
	}
	for _, k := range s.ownAccesses(c.Variable) {
		if k.body.Outermost() != around[0].Outermost() && !k.held.Excludes() {
			return false
		}
	}
	return true
}

var starting = pattern.New(`^(Start|Init|Open|Setup|SetUp|Connect|Listen|Begin|Launch)$`)

// readsHeldAt says whether the body accesses a variable at the place with locks held for reading alone.
func (s *search) readsHeldAt(b *accesses.Body, pos token.Pos) bool {
	for _, o := range s.states[b].order {
		if o.Pos() == pos && s.onlyReading(o) {
			return true
		}
	}
	return false
}
