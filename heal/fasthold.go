//go:build !atomrace_off

package heal

import (
	"sync/atomic"
	"unsafe"
)

// A fast Hold is one that takes the word of the bucket, like a fast section, and under
// which sections begin and end by a plain store. The Frame keeps the sites of its fast
// Holds, a bit each, where a quick section has what is left of it. A Location of the
// variable without any section stands for the Hold in the bucket: who asks for the lock
// finds there what it is over.

// heldAt is, for each bucket, the instance of the owner's fast Hold, 0 if it has none. It
// stands apart since few programs ever touch it.
var heldAt [1 << bucketBits]uintptr

// heldWord is the place of p's bucket in heldAt.
//
//go:norace
func heldWord(p uintptr) *uintptr { return &heldAt[bucketNumber(p)] }

// prepareHold decides whether Holds of v may be fast from now on.
//
//go:norace
func (k *variable) prepareHold(c *config, v *Variable) {
	now := fastGeneration
	if raceBuild || now == slowOnly || k.fast == now || k.guard != nil || k.mixed || c.policyOf(k) != PolicyLock {
		return
	}
	if loadPointer((*unsafe.Pointer)(unsafe.Pointer(&k.held))) == nil {
		atomic.CompareAndSwapPointer((*unsafe.Pointer)(unsafe.Pointer(&k.held)), nil, unsafe.Pointer(&Location{Var: v, Function: new(Function)}))
	}
	atomic.StoreUint32(&k.fast, now)
}

// heldFast are the sites of the fast Holds that f has, a bit each.
//
//go:norace
func (q *quicks) heldFast() uint64 { return q.open[len(q.open)-1].left }

// holdFast makes a Hold a fast one if nobody is near, and reports whether that was so,
// or there was that Hold already.
//
//go:norace
func (f *Frame) holdFast(v *Variable, p unsafe.Pointer, site int) bool {
	if site >= maxQuick {
		return false
	}
	k := v.known
	if k == nil || k.fast != fastGeneration {
		return false
	}
	held := (*Location)(loadPointer((*unsafe.Pointer)(unsafe.Pointer(&k.held))))
	if held == nil {
		return false // seen late
	}
	if f.holdsFast(p, site) {
		return true
	}
	if f.isFastAt(p) {
		if entryAt(uintptr(p)).Var.info() != k || f.activation != nil && len(f.holds) > 0 {
			return false // its section is over another variable there, or the site may have a Hold
		}
	} else if f.activation != nil || !f.mayBeFast(p) || !f.takes(held, p) {
		return false
	}
	f.open[len(f.open)-1].entry = held
	f.open[len(f.open)-1].left |= 1 << site
	// After the entry, and taken back before the word: who finds it finds what belongs to it.
	atomic.StoreUintptr(heldWord(uintptr(p)), uintptr(p))
	return true
}

// revealHold gives the owner of the word, if that has a fast Hold, the healing lock of
// what it holds, and reports whether that is another instance than on. The word must be
// flagged, and the guard held, so that the owner stays.
//
//go:norace
func (b *bucket) revealHold(gd *guard, owner G, on *instance) bool {
	at := atomic.LoadUintptr(heldWord(on.addr))
	if at == 0 {
		return false
	}
	in := instance{v: entryAt(at).Var.info(), addr: at}
	if on.is(&in) {
		return false
	}
	h := b.lock(&in)
	if h == nil {
		h = b.newLock(gd, &in)
	}
	if h.owner == 0 {
		h.own(owner)
		h.fast = true
		h.section = entryAt(at).begins()
	}
	return true
}

// holdsFast reports whether the fast Hold of the site is of the instance at p. If it is of
// another one it ends.
//
//go:norace
func (f *Frame) holdsFast(p unsafe.Pointer, site int) bool {
	if !f.isFast() || site >= maxQuick || f.heldFast()&(1<<site) == 0 {
		return false
	}
	if f.isFastAt(p) {
		return true
	}
	f.releaseFast(site)
	return false
}

// releaseFast ends the fast Hold of the site, and reports whether there was one.
//
//go:norace
func (f *Frame) releaseFast(site int) bool {
	bit := uint64(1) << (site & (maxQuick - 1))
	if site >= maxQuick || f.heldFast()&bit == 0 {
		return false
	}
	f.open[len(f.open)-1].left &^= bit
	if f.heldFast() == 0 && f.fastSection() == nil && !f.giveBack() {
		f.ordinary()
		f.shrink()
	}
	return true
}

// dropHeld ends all fast Holds, but gives nothing back.
//
//go:norace
func (f *Frame) dropHeld() { f.open[len(f.open)-1].left = 0 }

// enterHeld opens the section of l, and leaveHeld ends the one that is open, under a fast
// Hold: the word is theirs already, and stays so.
//
//go:norace
func (f *Frame) enterHeld(l *Location) {
	storeAddress(&bucketOf(uintptr(f.fastAt())).entry, uintptr(unsafe.Pointer(l)))
}

//go:norace
func (f *Frame) leaveHeld() {
	last := &f.open[len(f.open)-1]
	storeAddress(&bucketOf(uintptr(last.at)).entry, uintptr(unsafe.Pointer(last.entry)))
}

// resumeHolds makes fast Holds over at ordinary ones, and returns how many there were.
//
//go:norace
func (f *Frame) resumeHolds(in *instance, at unsafe.Pointer, sites uint64, lock *healingLock) (n int) {
	for site := range maxQuick {
		if sites&(1<<site) != 0 {
			f.holds = append(f.holds, hold{site: site, in: *in, lock: lock, keep: at})
			n++
		}
	}
	return n
}
