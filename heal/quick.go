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
type quick struct {
	at    unsafe.Pointer // the instance, kept alive; nil: no quick section is open
	entry *Location
	left  uint64 // which of entry.Entry are open still, a bit set
}

// flagged marks a word whose bucket has cells.
const flagged = 1

// maxQuick is the number of sections that a quick entry may open.
const maxQuick = 64

// generation is what Location.quick has to be for the quick way. It changes when
// settings or policies do, and is slowOnly before the settings are known and while
// they ask for more than watching.
var generation uint32 = slowOnly

const slowOnly = ^uint32(0)

// renew makes all locations be looked at anew, under c.
//
//go:norace
func (c *config) renew() {
	quiet()
	if c.off || c.noise.perMille > 0 || c.heal > PolicyOff {
		atomic.StoreUint32(&generation, slowOnly)
	} else {
		atomic.StoreUint32(&generation, atomic.AddUint32(&generations, 1))
	}
	loud()
}

// generations counts those there have been.
var generations uint32

// prepare decides whether l may go the quick way from now on.
//
//go:norace
func (l *Location) prepare(c *config) {
	policy := c.policyOf(l.Var.info())
	now := generation
	if now == slowOnly || l.quick == now || policy > PolicyOff ||
		len(l.Entry) > maxQuick || len(l.Entry) > 0 && len(l.Ends) > 0 {
		return
	}
	for _, s := range l.Entry {
		if c.policy(s) > PolicyOff {
			return
		}
	}
	l.quick = now
}

// tag is what g writes into a bucket's word.
//
//go:norace
func (g G) tag() uint64 { return uint64(g) << 1 }

// passes does what comes before the access of l at p if nobody else is near,
// and reports whether that was so.
//
//go:norace
func (f *Frame) passes(l *Location, p unsafe.Pointer) bool {
	b := bucketOf(uintptr(p))
	w := loadWord(&b.word)
	if len(l.Entry) == 0 {
		return (w == 0 || w == f.g.tag()) && !f.pending()
	}
	if w == 0 && f.at == nil && uintptr(p) >= firstAddress && !f.stack.holds(p) && !f.pending() {
		f.enterQuickly(b, l, p)
		return true
	}
	if w == f.g.tag() && f.at == p && f.entry == l && !f.pending() {
		f.left = 1<<len(l.Entry) - 1 // a loop: the window begins anew
		return true
	}
	return false
}

// enterQuickly opens the sections of l over p in b, which is not in use.
//
//go:norace
func (f *Frame) enterQuickly(b *bucket, l *Location, p unsafe.Pointer) {
	f.at, f.entry, f.left = hidden(p), l, 1<<len(l.Entry)-1
	storeWord(&b.word, f.g.tag())
}

// finishQuickly is the afterAccess of l, while a quick section is open over p:
// what ends here has not been broken if the word is still our own.
//
//go:norace
func (f *Frame) finishQuickly(l *Location, p unsafe.Pointer) {
	left := f.left
	for i := range l.Ends {
		left &^= f.bit(l.Ends[i].Section)
	}
	if left == f.left {
		return
	}
	if loadWord(&bucketOf(uintptr(p)).word) != f.g.tag() {
		f.expand()
		f.win = access{active: true, addr: uintptr(p)}
		f.after(l, l.Mode, p)
		return
	}
	f.left = left
	if left == 0 {
		f.quit()
	}
}

// bit is that of s in f.left, or 0.
//
//go:norace
func (f *Frame) bit(s *Section) uint64 {
	if i := indexOf(f.entry.Entry, s); i >= 0 {
		return 1 << i
	}
	return 0
}

// skip is the atomExit of s for the quick section.
//
//go:norace
func (f *Frame) skip(s *Section) {
	f.left &^= f.bit(s)
	if f.left == 0 {
		f.quit()
	}
}

// quit ends the quick section without a verdict.
//
//go:norace
func (f *Frame) quit() {
	b, gd := place(uintptr(f.at))
	if loadWord(&b.word) == f.g.tag() {
		storeWord(&b.word, 0)
		f.quick = quick{}
		return
	}
	f.left = 0
	gd.lock(b, nil)
	f.adopt(b, gd)
	gd.unlock(b)
}

// adopt makes f's quick section an ordinary one, if it has been revealed to who
// accessed the same instance; if not, it is lost, and nobody will judge it. The guard of
// the bucket, b, must be held.
//
//go:norace
func (f *Frame) adopt(b *bucket, gd *guard) {
	q := f.quick
	f.quick = quick{}
	v := q.entry.Var.info()
	var next *cell
	for c := (*cell)(b.cells); c != nil; c = next {
		next = c.next
		if c.owner != f.g || c.revealed == 0 {
			continue
		}
		start := c.revealed
		c.revealed = 0
		if !c.inst.keyed && c.inst.addr == uintptr(q.at) && c.inst.v == v {
			for i := range q.entry.Entry {
				if q.left&(1<<i) != 0 {
					f.adoptIn(c, gd, q.entry.Entry[i], start, &q)
				}
			}
		}
		b.drop(gd, c)
	}
	compareAndSwap(&b.word, f.g.tag()|flagged, flagged)
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
	f.push(record{section: s, cell: c, addr: uintptr(q.at), id: o.id, keep: q.at})
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
