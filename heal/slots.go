package heal

import "unsafe"

// The race table implements papers/001 Figure 2: Access(v) for every address,
// in a fixed number of slots. A slot is one word, so that it is always
// consistent:
//
//	63      36 35 33 32   30    29   24      23     0
//	 granule    off   len-1    write  free   location
//
// The granule's low 16 bits follow from the slot's number and the rest, so a
// word names the exact bytes within one 8-byte granule. Marks that collide
// overwrite each other; that loses a race, it never invents one.
const (
	slotBits     = 16
	wordGranule  = 36
	wordOffset   = 33
	wordLength   = 30
	wordWrite    = 1 << 29
	wordLocation = 1<<maxLocationBits - 1
	addressBits  = 47 // addresses beyond, which Go does not hand out, are not watched
)

var slots [1 << slotBits]uint64

// Marked is an open window of the race table: see Mark and Clear. The zero
// Marked is a window that nobody watches.
type Marked struct {
	slot *uint64
	word uint64
}

// touch looks for a foreign access to the size bytes at p, and leaves a mark
// there if the access writes (or if reading is to be seen as well, because
// noise stretches the window). The bytes beyond p's granule are not compared:
// accesses of one variable agree in their first bytes.
//
//go:norace
func touch(l *Location, p unsafe.Pointer, size uintptr, readersMark bool) Marked {
	addr := uintptr(p)
	if size == 0 || uint64(addr)>>addressBits != 0 {
		return Marked{}
	}
	slot, word := window(addr, size)
	if l.Mode&Write != 0 {
		word |= wordWrite
	}
	if other := loadWord(slot); other != 0 && collide(other, word) {
		raced(slot, other, l, addr)
	}
	if word&wordWrite == 0 && !readersMark {
		return Marked{}
	}
	n := l.index()
	if n == 0 {
		return Marked{}
	}
	word |= n
	storeWord(slot, word)
	return Marked{slot, word}
}

// slotOf returns the slot for addr.
//
//go:norace
func slotOf(addr uintptr) *uint64 {
	granule := uint64(addr >> 3)
	return &slots[(granule^granule>>slotBits*0x9E35)&(1<<slotBits-1)]
}

// window returns the slot for addr and the word that names its bytes.
//
//go:norace
func window(addr, size uintptr) (*uint64, uint64) {
	slot := slotOf(addr)
	high := uint64(addr>>3) >> slotBits
	offset := uint64(addr & 7)
	length := min(uint64(size), 8-offset)
	return slot, high<<wordGranule | offset<<wordOffset | (length-1)<<wordLength
}

// collide reports whether two words of one slot name overlapping bytes, and
// at least one of them writes.
//
//go:norace
func collide(a, b uint64) bool {
	if a>>wordGranule != b>>wordGranule || (a|b)&wordWrite == 0 {
		return false
	}
	aLow, bLow := a>>wordOffset&7, b>>wordOffset&7
	aHigh, bHigh := aLow+a>>wordLength&7, bLow+b>>wordLength&7
	return aLow <= bHigh && bLow <= aHigh
}

// clear ends the window: always, for a mark that stays would accuse the next.
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
	storeWord(m.slot, 0)
}
