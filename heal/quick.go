//go:build !atomrace_off

package heal

import (
	"sync/atomic"
	"unsafe"
)

// A quick section is one that nobody has come near yet. It takes no guard, no
// cell and no atomic operation: its owner stores a word into the bucket of the
// instance when it enters, and takes it back at the end, if the word is still
// its own. Who comes to a bucket and finds a word there goes the slow way, takes
// the guard, and first of all reveals the section: it flags the word and makes a
// cell for the owner, as if that were in a section over what the newcomer is about
// to access. The owner finds its word flagged, goes the slow way, too, and adopts
// the cell, if that is what its section is over.
//
// A bucket's word is 0, the owner's tag, the tag with the flag, or the flag alone:
// then there are cells, and everybody goes the slow way. A flag that a plain store
// overwrites is lost, and with it what the section would have told; see
// safety.go for why nothing false can come of it.
//
// A section that may end in another activation (Section.Apart) is never quick, for that
// one's Frame would not know that it is open.
//
// A Frame has room for a few quick sections, in one bucket or in several, and a
// bucket's word serves one Frame at a time: a section that finds no room, or the
// word of a caller's Frame, is not watched this time.
type quick struct {
	at    unsafe.Pointer // the instance, kept alive
	entry *Location
	left  uint64 // which of those of entry are open still, a bit set
}

// quicks are the quick sections of one Frame; while it has a fast one (fast.go), the
// last place is its. So one word says that nothing of all this is open.
type quicks struct {
	open  [4]quick
	count int16 // of quick sections, and fastOpen, which makes it negative
	skipped
}

const fastOpen = -1 << 15

// number is that of the quick sections that are open.
//
//go:norace
func (q *quicks) number() int16 { return q.count &^ fastOpen }

// full reports whether there is room for no further quick section.
//
//go:norace
func (q *quicks) full() bool { return int(q.number())+int(uint16(q.count)>>15) >= len(q.open) }

// flagged marks a word whose bucket has cells.
const flagged = 1

// maxQuick is the number of sections that a quick entry may open.
const maxQuick = 64

// generation is what Location.quick has to be for the quick way. It changes when
// settings or policies do, and is slowOnly before the settings are known and while
// they ask for more than watching.
var generation uint32 = slowOnly

const slowOnly = ^uint32(0)

// wary is not 0 while generation is slowOnly, or something is healed.
var wary uint64 = 1

// renew makes all locations be looked at anew, under c. The lock of the registry
// must be held.
//
//go:norace
func (c *config) renew() {
	quiet()
	locking := uint32(slowOnly)
	if !c.off && !c.suspended && c.noise.perMille == 0 {
		locking = atomic.AddUint32(&generations, 1)
	}
	atomic.StoreUint32(&fastGeneration, locking)
	switch {
	case c.off || c.noise.perMille > 0 || c.plain() > PolicyOff:
		atomic.StoreUint64(&wary, 1)
		atomic.StoreUint32(&generation, slowOnly)
	case registry.healing:
		// Single accesses must take the healing locks of the variables that have one.
		atomic.StoreUint64(&wary, 1)
		atomic.StoreUint32(&generation, atomic.AddUint32(&generations, 1))
	default:
		atomic.StoreUint32(&generation, atomic.AddUint32(&generations, 1))
		atomic.StoreUint64(&wary, 0)
	}
	loud()
}

// generations counts those there have been.
var generations uint32

// prepare decides whether l may go the quick way from now on.
//
//go:norace
func (l *Location) prepare(c *config) {
	l.meet()
	l.prepareFast(c)
	policy := c.policyOf(l.Var.info())
	now := generation
	if now == slowOnly || l.quick == now || policy > PolicyOff ||
		len(l.entries()) > maxQuick || len(l.sets()) > 0 || l.of() != nil {
		return
	}
	for _, s := range l.entries() {
		if c.policy(s) > PolicyOff || l.ends(s) != nil && !s.Circular || s.Apart {
			return // healed, or over with the access that begins it, or in another Frame
		}
	}
	l.quick = now
}

// tag is what g writes into a bucket's word.
//
//go:norace
func (g G) tag() uint64 { return uint64(g) << 1 }

// passes does what comes before the access of l at p if nobody else is near,
// and reports whether that was so. What begins where something ends begins
// after the access.
//
//go:norace
func (f *Frame) passes(l *Location, p unsafe.Pointer) bool {
	if b := l.Bounds; b != nil && len(b.Entry) > 0 && len(b.Ends) == 0 {
		return f.enters(l, p)
	}
	w := loadWord(bucketOf(uintptr(p)).word())
	return (w == 0 || w == f.g.tag()) && !f.pending()
}

// enters opens the sections of l over p if nobody else is near, and reports
// whether that was so.
//
//go:norace
func (f *Frame) enters(l *Location, p unsafe.Pointer) bool {
	b := bucketOf(uintptr(p))
	w := loadWord(b.word())
	if w != 0 && w != f.g.tag() || uintptr(p) < firstAddress || f.stack.holds(p) || f.pending() ||
		f.isFastAt(p) { // from before the policy was what it is now
		return false
	}
	f.enterQuickly(b, w, l, p)
	return true
}

// enterQuickly opens the sections of l over p in b, whose word is w: 0 or our
// own.
//
//go:norace
func (f *Frame) enterQuickly(b *bucket, w uint64, l *Location, p unsafe.Pointer) {
	if w != 0 {
		ours := false
		for i := range f.number() {
			q := &f.open[i]
			if q.at == p && q.entry == l {
				q.left = 1<<len(l.entries()) - 1 // a loop: the window begins anew
				return
			}
			ours = ours || bucketOf(uintptr(q.at)) == b
		}
		if !ours {
			return
		}
	}
	if f.full() {
		return
	}
	f.open[f.number()] = quick{hidden(p), l, 1<<len(l.entries()) - 1}
	f.count++
	storeWord(b.word(), f.g.tag())
}

// finishQuickly is the afterAccess of l, while quick sections are open: what
// ends here over p has not been broken if the word is still our own.
//
//go:norace
func (f *Frame) finishQuickly(l *Location, p unsafe.Pointer) {
	ends := l.endings()
	for i := f.number() - 1; i >= 0; i-- {
		q := &f.open[i]
		if q.at != p {
			continue
		}
		left := q.left
		for j := range ends {
			left &^= q.bit(ends[j].Section)
		}
		if left == q.left {
			continue
		}
		if loadWord(bucketOf(uintptr(p)).word()) != f.g.tag() {
			f.expand()
			f.win = access{active: true, addr: uintptr(p)}
			f.after(l, l.Mode, p)
			return
		}
		if q.left = left; left == 0 {
			f.drop(i)
		}
	}
}

// drop ends the quick section i, whose bucket's word is our own.
//
//go:norace
func (f *Frame) drop(i int16) {
	b := bucketOf(uintptr(f.open[i].at))
	f.remove(i)
	for i := range f.number() {
		if bucketOf(uintptr(f.open[i].at)) == b {
			return
		}
	}
	storeWord(b.word(), 0)
}

// remove takes the quick section i out of the list.
//
//go:norace
func (f *Frame) remove(i int16) {
	f.count--
	last := f.number()
	f.open[i] = f.open[last]
	f.open[last].at = nil
}

// bit is that of s in q.left, or 0.
//
//go:norace
func (q *quick) bit(s *Section) uint64 {
	if i := indexOf(q.entry.entries(), s); i >= 0 {
		return 1 << i
	}
	return 0
}

// skip is the atomExit of s for the quick sections.
//
//go:norace
func (f *Frame) skip(s *Section) {
	for i := f.number() - 1; i >= 0; i-- {
		if i >= f.number() {
			continue // went with another
		}
		q := &f.open[i]
		if q.left &^= q.bit(s); q.left == 0 {
			f.quit(i)
		}
	}
}

// quit ends the quick section i without a verdict.
//
//go:norace
func (f *Frame) quit(i int16) {
	b, gd := place(uintptr(f.open[i].at))
	if loadWord(b.word()) == f.g.tag() {
		f.drop(i)
		return
	}
	f.open[i].left = 0
	gd.lock(b, nil)
	f.adopt(b, gd)
	gd.unlock(b)
}

// quickIn reports whether f has quick sections in b.
//
//go:norace
func (f *Frame) quickIn(b *bucket) bool {
	for i := range f.number() {
		if bucketOf(uintptr(f.open[i].at)) == b {
			return true
		}
	}
	return false
}

// adopt makes those of f's quick sections in b ordinary ones that have been
// revealed to who accessed the same instance; the others are lost, and nobody
// will judge them. The guard of b must be held.
//
//go:norace
func (f *Frame) adopt(b *bucket, gd *guard) {
	var mine quicks
	for i := f.number() - 1; i >= 0; i-- {
		if bucketOf(uintptr(f.open[i].at)) == b {
			mine.open[mine.count] = f.open[i]
			mine.count++
			f.remove(i)
		}
	}
	var next *cell
	for c := b.cells(); c != nil; c = next {
		next = c.next
		if c.owner != f.g || c.revealed == 0 {
			continue
		}
		start := c.revealed
		c.revealed = 0
		for i := range mine.count {
			f.adoptFrom(&mine.open[i], c, gd, start)
		}
		b.drop(gd, c)
	}
	compareAndSwap(b.word(), f.g.tag()|flagged, flagged)
}

// adoptFrom opens in c what is open in q, if c is of the same instance.
//
//go:norace
func (f *Frame) adoptFrom(q *quick, c *cell, gd *guard, start uint64) {
	if c.inst.keyed || c.inst.addr != uintptr(q.at) || c.inst.v != q.entry.Var.info() {
		return
	}
	for i := range q.entry.entries() {
		if q.left&(1<<i) != 0 {
			f.adoptIn(c, gd, q.entry.entries()[i], start, q)
		}
	}
}

// adoptIn opens s in c, begun at the tick start at the latest.
//
//go:norace
func (f *Frame) adoptIn(c *cell, gd *guard, s *Section, start uint64, q *quick) {
	var o *opened
	if i := c.index(s); i >= 0 {
		o = &c.opens[i] // by another activation since: recursion
		o.count++
		o.start = min(o.start, start)
	} else {
		o = c.open(s, q.entry, gd.stamp())
		o.start, o.fresh = start, false
	}
	f.expand()
	f.push(record{section: s, cell: c, addr: uintptr(q.at), id: o.id, entry: q.entry, keep: q.at})
}

//go:norace
func indexOf(list []*Section, s *Section) int {
	for i := range list {
		if list[i] == s {
			return i
		}
	}
	return -1
}
