//go:build !atomrace_off

package heal

import "unsafe"

// The race table implements papers/001 Figure 2: Access(v) for every address, in
// a fixed number of slots, of a word each. A word is always consistent by
// itself:
//
//	63           16 15    8 7      0
//	    address      length   write
//
// so a mark names the exact bytes, the first 255 of a large variable. The granule (bulk.go)
// of 64 bytes in which they begin decides on the slot: accesses of one variable
// begin together, and what is together in the program's memory is together
// in the table. The location is stored before the word, apart from it, for only
// writers need it: what the many readers go through should stay in the cache.
// Marks that collide overwrite each other; that loses a race, and may in the
// worst case put a wrong location into the report of a true one, but never
// invents any.
const (
	slotBits     = 15
	wordAddress  = 16
	wordLength   = 8
	wordWrite    = 1
	maxLength    = 1<<(wordAddress-wordLength) - 1
	firstAddress = 1 << 16 // below lies what nil pointers reach; the access will panic
)

var (
	slots     [1 << slotBits]uint64
	locations [1 << slotBits]uintptr // *Location, in tables that live as long as the program
)

// Windows that noise keeps open for long have a table of their own besides, in which
// neighbours do not meet: in the first one they would overwrite each other's marks.
var (
	long          [1 << slotBits]uint64
	longLocations [1 << slotBits]uintptr
)

// longWord is the bits of an address that share a slot of long: those of a word.
const longWord = 3

// Marked is an open window of the race table: see Mark and Clear. The zero
// Marked is a window that nobody watches.
type Marked struct {
	slot *uint64
	word uint64
}

// touch looks for a foreign access to the size bytes at p, and leaves a mark
// there if the access writes (or if reading is to be seen as well, because
// noise stretches the window).
//
//go:norace
func touch(l *Location, p unsafe.Pointer, size uintptr, readersMark bool) Marked {
	addr := uintptr(p)
	if size == 0 || addr < firstAddress {
		return Marked{}
	}
	m := window(l, addr, size)
	if other := loadWord(m.slot); other != 0 && collide(other, m.word) {
		raced(m.slot, other, l, p)
	}
	if l.Mode&Write == 0 && !readersMark {
		return Marked{}
	}
	m.set(l)
	return m
}

// slotOf returns the slot for addr.
//
//go:norace
func slotOf(addr uintptr) *uint64 { return &slots[addr>>granule&(1<<slotBits-1)] }

// window returns what l's window at size bytes from addr will be.
//
//go:norace
func window(l *Location, addr, size uintptr) Marked {
	word := uint64(addr)<<wordAddress | uint64(min(size, maxLength))<<wordLength
	if l.Mode&Write != 0 {
		word |= wordWrite
	}
	return Marked{slotOf(addr), word}
}

// location is where m's *Location stands.
//
//go:norace
func (m Marked) location() *uintptr {
	if i := uintptr(unsafe.Pointer(m.slot)) - uintptr(unsafe.Pointer(&long)); i < unsafe.Sizeof(long) {
		return &longLocations[i/unsafe.Sizeof(long[0])]
	}
	return &locations[m.word>>(wordAddress+granule)&(1<<slotBits-1)]
}

// set puts m up as l's mark.
//
//go:norace
func (m Marked) set(l *Location) {
	storeAddress(m.location(), uintptr(unsafe.Pointer(l)))
	storeWord(m.slot, m.word)
}

// at returns the location that set m up, or nil if the slot is another's by now.
//
//go:norace
func (m Marked) at() *Location {
	p := loadPointer((*unsafe.Pointer)(unsafe.Pointer(m.location())))
	if loadWord(m.slot) != m.word {
		return nil
	}
	return (*Location)(p)
}

// collide reports whether two words of one slot name overlapping bytes, and
// at least one of them writes.
//
//go:norace
func collide(a, b uint64) bool {
	if (a|b)&wordWrite == 0 {
		return false
	}
	aLow, bLow := a>>wordAddress, b>>wordAddress
	return aLow < bLow+b>>wordLength&maxLength && bLow < aLow+a>>wordLength&maxLength
}

// clear ends the window: always, for a mark that stays would accuse the next. One
// that has been overwritten is gone already, and what stands in its place is somebody
// else's to clear: where noise keeps windows of one slot open for long, those who
// go from one to the next would wipe out all that they are to find there.
// If somebody has just run into this mark, it first tells who we are.
//
//go:norace
func (m Marked) clear() {
	if m.slot == nil {
		return
	}
	if loadWord(&witnessed) != 0 {
		testify(m)
	}
	if loadWord(m.slot) == m.word {
		storeWord(m.slot, 0)
	}
}
