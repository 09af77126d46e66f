package heal

import (
	"sync/atomic"
	"unsafe"
)

// A quick section is one that nobody has come near yet. It takes no guard, no
// cell and no atomic operation: its owner stores a word into the bucket of the
// instance when it enters, and takes it back at the end, if the word is still
// its own. Who comes to a bucket and finds a word there goes the slow way, takes
// the guard, and first of all reveals the section: it makes the cell that the
// owner would have made, and flags the word, so that the owner goes the slow
// way, too, and finds there what it has to judge.
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
// settings or policies do, and is slowOnly while they ask for more than watching.
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
	if w == 0 && f.at == nil && uintptr(p) >= firstAddress && !f.pending() && !onOwnStack(p) {
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
	storeAddress(&b.addr, uintptr(p))
	storeAddress(&b.entry, uintptr(unsafe.Pointer(l)))
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
	if b := bucketOf(uintptr(p)); loadWord(&b.word) != f.g.tag() {
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
	gd.lock(b)
	f.adopt(b, gd)
	gd.unlock(b)
}

// adopt makes f's quick section an ordinary one, if somebody has revealed it;
// if not, it is lost, and nobody will judge it. The guard of its bucket, b, must
// be held.
//
//go:norace
func (f *Frame) adopt(b *bucket, gd *guard) {
	q := f.quick
	f.quick = quick{}
	for c := (*cell)(b.cells); c != nil; c = c.next {
		if c.owner == f.g && c.inst.addr == uintptr(q.at) {
			f.adoptFrom(c, &q)
			b.drop(gd, c)
			break
		}
	}
	compareAndSwap(&b.word, f.g.tag()|flagged, flagged)
}

//go:norace
func (f *Frame) adoptFrom(c *cell, q *quick) {
	for i := len(c.opens) - 1; i >= 0; i-- {
		o := &c.opens[i]
		if !o.quick {
			continue
		}
		o.quick = false
		n := indexOf(q.entry.Entry, o.section)
		switch {
		case o.entry == q.entry && n >= 0 && q.left&(1<<n) != 0:
			f.expand()
			f.push(record{section: o.section, cell: c, addr: uintptr(q.at), id: o.id, keep: q.at})
		case o.count > 1:
			o.count--
		default:
			c.shut(i)
		}
	}
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
