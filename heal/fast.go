//go:build !atomrace_off

package heal

import (
	"sync/atomic"
	"unsafe"
)

// A fast section is one that is healed by the lock while nobody else is near: its
// owner takes a word of the bucket by one compare-and-swap and gives it back by
// another, without guard, healing lock and cell. Who asks for a healing lock in that
// bucket the ordinary way finds the word, flags it, and makes what the owner would
// have made: a healing lock that the owner owns, and a cell in which it is inside.
// The owner finds its word flagged and goes on the ordinary way, with these.
//
// Exclusion: a bucket with cells or healing locks has a word that is flagged. They
// are entered first, under the guard, and then the word is closed, by a
// compare-and-swap: the fast section that was there before has an owner in the word
// from then on, and no other one begins until the last of them is gone and the word
// opened again.
//
// The word stands for all instances in the bucket. Who asks for the lock of another
// one that is there by chance waits for the owner's section, too, and is given that
// lock when the section ends. Not so where the owner has a Hold: it may be about to wait
// for a lock of the program, and the bucket knows what its Hold is over.
//
// A Hold takes the word in the same way (fasthold.go). A section that begins under it
// has it already, and it is given back when neither section nor Hold is left.

// close keeps fast sections from beginning in b, and flags the one that has. The guard
// must be held.
//
//go:norace
func (b *bucket) close() {
	if raceBuild {
		return
	}
	for w := loadWord(&b.owner); w&flagged == 0; w = loadWord(&b.owner) {
		if compareAndSwap(&b.owner, w, w|flagged) {
			return
		}
	}
}

// open lets fast sections begin in b again if there are neither cells nor locks left in
// it. An owner that is flagged opens it itself. The guard must be held.
//
//go:norace
func (b *bucket) open() {
	if !raceBuild && b.room() == nil {
		compareAndSwap(&b.owner, flagged, 0)
	}
}

// entryAt is the location at which the fast section in the bucket of addr began.
//
//go:norace
func entryAt(addr uintptr) *Location {
	return (*Location)(loadPointer((*unsafe.Pointer)(unsafe.Pointer(&bucketOf(addr).entry))))
}

// isFast reports whether f has a section open the fast way, and isFastAt whether it is
// over p. fastAt is the instance, kept alive.
//
//go:norace
func (q *quicks) isFast() bool { return q.count < 0 }

//go:norace
func (q *quicks) isFastAt(p unsafe.Pointer) bool { return q.count < 0 && q.fastAt() == p }

//go:norace
func (q *quicks) fastAt() unsafe.Pointer { return q.open[len(q.open)-1].at }

// setFast notes that there is one over p now.
//
//go:norace
func (q *quicks) setFast(p unsafe.Pointer) {
	q.open[len(q.open)-1] = quick{at: p}
	q.count |= fastOpen
}

// noFast notes that there is none any more.
//
//go:norace
func (q *quicks) noFast() {
	q.open[len(q.open)-1] = quick{}
	q.count &^= fastOpen
}

// fastSection is the section that f has open the fast way, nil if it has but a Hold.
//
//go:norace
func (f *Frame) fastSection() *Section { return entryAt(uintptr(f.fastAt())).begins() }

// begins is the section that begins the fast way at l, nil if none does.
//
//go:norace
func (l *Location) begins() *Section {
	if b := l.Bounds; b != nil && len(b.Entry) > 0 {
		return b.Entry[0]
	}
	return nil
}

// fastGeneration is what Location.fast has to be for a section to begin the fast
// way. It changes with settings and policies; locations that have never been looked
// at have 0.
var fastGeneration uint32 = slowOnly

//go:norace
func fastWord(addr uintptr) *uint64 { return &bucketOf(addr).owner }

// prepareFast decides whether the section of l may begin the fast way from now on.
// Under the race detector none may, for it is to see the healing lock. Nor may one that
// could wait for others: it has the word of its bucket, which stands for other variables
// as well, and who wants one of those would wait for it in vain.
//
//go:norace
func (l *Location) prepareFast(c *config) {
	now := fastGeneration
	if raceBuild || now == slowOnly || l.fast == now || len(l.entries()) != 1 || len(l.endings()) > 0 || len(l.sets()) > 0 || l.of() != nil {
		return
	}
	if s := l.entries()[0]; c.policy(s) == PolicyLock && s.Assured && !s.Circular && !s.Apart && !l.Var.info().mixed {
		l.fast = now
	}
}

// fastly does what comes before the access of l at p, if it is within a fast section
// or begins one and nobody else is near, and reports whether that was so.
//
//go:norace
func (f *Frame) fastly(l *Location, p unsafe.Pointer) bool {
	if f.isFastAt(p) {
		if f.pending() {
			f.abandon() // an access to something else has panicked
		}
		if f.within(l, p) {
			return true
		}
		f.ordinary()
		return false
	}
	return l.fast == fastGeneration && (f.begins(l, p) || f.spins(l, p))
}

// begins opens the section of l over p the fast way if nobody is near, and reports
// whether that was so.
//
//go:norace
func (f *Frame) begins(l *Location, p unsafe.Pointer) bool {
	return f.mayBeFast(p) && f.takes(l, p)
}

// takes is begins where mayBeFast has been asked.
//
//go:norace
func (f *Frame) takes(l *Location, p unsafe.Pointer) bool {
	b := bucketOf(uintptr(p))
	if !atomic.CompareAndSwapUint64(&b.owner, 0, uint64(f.g)) {
		return false
	}
	f.setFast(hidden(p))
	storeAddress(&b.entry, uintptr(unsafe.Pointer(l)))
	return true
}

// mayBeFast reports whether f could have a fast section over p. It has but one, and none
// over what it is in a quick section over, from before the policy was what it is now:
// of two the end would end one.
//
//go:norace
func (f *Frame) mayBeFast(p unsafe.Pointer) bool {
	if uintptr(p) < firstAddress || f.stack.holds(p) || f.pending() || f.isFast() || f.number() == int16(len(f.open)) {
		return false
	}
	for i := range f.number() {
		if f.open[i].at == p {
			return false
		}
	}
	return true
}

// within reports whether the access of l at p is one within the fast section, or under
// the fast Hold, with nobody near. A section that begins under the Hold is open then.
//
//go:norace
func (f *Frame) within(l *Location, p unsafe.Pointer) bool {
	if loadWord(fastWord(uintptr(p))) != uint64(f.g) {
		return false
	}
	if b := l.Bounds; b == nil {
		return true
	} else if len(b.Sets) > 0 {
		return false
	} else if len(b.Entry) == 0 {
		return true
	}
	now := entryAt(uintptr(p))
	if now.begins() == nil && l.fast == fastGeneration && l.Var.info() == now.Var.info() {
		f.enterHeld(l)
		return true
	}
	return now == l
}

// finishFast ends the fast section without a verdict, which it needs only if it was
// revealed.
//
//go:norace
func (f *Frame) finishFast() {
	s := f.fastSection()
	if f.giveBack() {
		return
	}
	f.ordinary()
	if s != nil {
		f.Exit(s)
	}
}

// giveBack ends the fast section if nobody has come near, and reports whether that was
// so. What is held stays so.
//
//go:norace
func (f *Frame) giveBack() bool {
	p := f.fastAt()
	if f.heldFast() != 0 && loadWord(fastWord(uintptr(p))) == uint64(f.g) {
		f.leaveHeld()
		return true
	}
	if f.heldFast() != 0 {
		return false
	}
	if f.open[len(f.open)-1].entry != nil {
		atomic.StoreUintptr(heldWord(uintptr(p)), 0)
	}
	if !atomic.CompareAndSwapUint64(fastWord(uintptr(p)), uint64(f.g), 0) {
		return false
	}
	f.noFast()
	return true
}

// endFast is the afterAccess of l at p, over which the fast section is that may end.
//
//go:norace
func (f *Frame) endFast(l *Location, p unsafe.Pointer) {
	b := bucketOf(uintptr(p))
	s := (*Location)(loadPointer((*unsafe.Pointer)(unsafe.Pointer(&b.entry)))).begins()
	if s == nil || l.ends(s) == nil {
		return
	}
	if f.open[len(f.open)-1].entry == nil && atomic.CompareAndSwapUint64(&b.owner, uint64(f.g), 0) {
		f.noFast() // there is no Hold, and nobody has come near
		return
	}
	if f.giveBack() {
		return
	}
	f.ordinary()
	f.expand()
	f.win = access{active: true, addr: uintptr(p)}
	f.after(l, l.Mode, p)
	f.exitAt(s, p) // if it was not monitored
}

// exitAt is Exit for s over the instance at p alone.
//
//go:norace
func (f *Frame) exitAt(s *Section, p unsafe.Pointer) {
	if f.activation == nil {
		return
	}
	for i := f.n - 1; i >= 0; i-- {
		if r := f.record(i); r.section == s && r.keep == p {
			r := f.take(i)
			f.leave(&r)
		}
	}
}

// ordinary makes f's fast section, and its fast Holds, ordinary ones: they take over the
// healing lock and the cell that were made for it, and those that were made for it by
// mistake are given back, and the lock too if neither section nor Hold is left.
//
//go:norace
func (f *Frame) ordinary() {
	at, entry, sites := f.fastAt(), entryAt(uintptr(f.fastAt())), f.heldFast()
	f.noFast()
	f.expand()
	addr := uintptr(at)
	in := instance{v: entry.Var.info(), addr: addr}
	on := lockInstance(&in)
	b, gd := place(addr)
	gd.lock(b, nil)
	mine := b.lock(&on)
	if mine == nil {
		mine = b.newLock(gd, &on)
	}
	if mine.owner == 0 {
		mine.own(f.g)
	}
	var room [5]*healingLock
	others := room[:0]
	for h := b.locks(); h != nil; h = h.next {
		if h.owner == f.g && h.fast {
			h.fast = false
			if h != mine {
				others = append(others, h)
			}
		}
	}
	atomic.StoreUint64(&b.owner, flagged) // for the bucket has a lock now
	atomic.StoreUintptr(heldWord(addr), 0)
	start := b.unveil(gd, &in, f.g, entry.begins() != nil)
	reasons := f.resumeHolds(&in, at, sites, mine)
	if entry.begins() != nil {
		f.resume(b, gd, &in, at, entry, mine, start)
		reasons++
	}
	mine.count += max(reasons, 1) - 1
	if reasons == 0 {
		others = append(others, mine)
	}
	gd.unlock(b)
	for _, h := range others {
		h.release(f.g)
	}
}

// own makes g the owner of h, which has none.
//
//go:norace
func (h *healingLock) own(g G) {
	h.owner, h.count = g, 1
	h.turns++
	h.order.Lock()
}

// unveil takes back what revealFast noted in cells of g, and returns the tick at
// which the section over in was revealed, or now; open says that there is one. The guard
// must be held.
//
//go:norace
func (b *bucket) unveil(gd *guard, in *instance, g G, open bool) uint64 {
	start := gd.stamp()
	var next *cell
	for c := b.cells(); c != nil; c = next {
		next = c.next
		if c.owner != g || c.fast == 0 {
			continue
		}
		if open && c.inst.is(in) {
			start, c.fast = c.fast, 0
			continue // it is needed at once
		}
		c.fast = 0
		b.drop(gd, c)
	}
	return start
}

// resume enters the section over at that began at entry into the records, with its healing
// lock, and into f's cell of in, if there is room. The guard must be held.
//
//go:norace
func (f *Frame) resume(b *bucket, gd *guard, in *instance, at unsafe.Pointer, entry *Location, lock *healingLock, start uint64) {
	s := entry.entries()[0]
	lock.section = s
	c := b.of(in, f.g)
	if c == nil && !b.full(in) {
		c = b.add(gd, in, f.g)
	}
	if c == nil || c.index(s) >= 0 {
		f.push(record{section: s, lock: lock, entry: entry, keep: at})
		return
	}
	if len(c.opens) == 0 && c.claims == 0 {
		c.since = gd.stamp()
	}
	o := c.open(s, entry, gd.stamp())
	o.start, o.fresh, o.lock, o.healed = start, false, lock, true
	f.push(record{section: s, cell: c, addr: in.addr, id: o.id, entry: entry, keep: at})
}

// revealFast gives h, which nobody owns, to who is in a fast section in b, if
// anybody is, and makes a cell of on for it. The guard must be held.
//
//go:norace
func (b *bucket) revealFast(gd *guard, h *healingLock, on *instance) {
	owner := G(loadWord(&b.owner) &^ flagged) // closed, for there is h
	if owner == 0 || b.revealHold(gd, owner, &h.inst) {
		return
	}
	h.own(owner)
	h.fast = true
	if l := entryAt(on.addr); l != nil && l.Var.info() == on.v {
		h.section = l.begins()
	}
	if on.keyed || b.full(on) {
		return
	}
	c := b.of(on, h.owner)
	if c == nil {
		c = b.add(gd, on, h.owner)
	}
	if c.fast == 0 {
		c.fast = gd.stamp()
	}
}
