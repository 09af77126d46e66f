package section

import (
	"slices"

	"github.com/atomrace/atomrace/atomicity"
)

// closesAtOnce says whether the branch that leads to the end closes a channel without another
// look at anything: whatever the variable tells, two who have passed the test both close it.
//
//	if s.failure() != nil { // takes the lock, and releases it
//		return
//	}
//	s.setFailure(err) // the first error or the last one: either tells
//	close(s.done)
func (f *finding) closesAtOnce(end *hit) bool {
	if f.closes(end) == "" || f.recovers() {
		return false
	}
	for block, events := range f.body.Events {
		if !f.decided(f.trail.tests, block) {
			continue
		}
		for _, ev := range f.withStraight(events) {
			if ch := f.closeOf(ev.Node); ch != nil && !f.madeSince(ch) && !f.ownChannel(ch) && !f.looksOnTheWay(block) {
				return true
			}
		}
	}
	return false
}

// looksOnTheWay says whether another test of something that others have, or a select, decides
// after the entry whether control comes to the block.
func (f *finding) looksOnTheWay(block int) bool {
	onward := f.reaches(f.body.CFG.Blocks[f.entry.block], -1)
	for test, conds := range f.body.Conds {
		if !onward[test] || slices.Contains(f.trail.tests, test) {
			continue
		}
		if decides, _ := f.decides(test, block); !decides {
			continue
		}
		if conds == nil {
			return true
		}
		for _, cond := range conds {
			for a, plain := range f.values.of(cond) {
				if r := f.occ[a]; plain && r != nil && r.Mode == atomicity.Read && a != f.entry.Access {
					return true
				}
			}
		}
	}
	return false
}
