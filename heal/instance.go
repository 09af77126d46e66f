//go:build !atomrace_off

package heal

import (
	"sync"
	"unsafe"
)

// instance is the dynamic identity of a variable: its address, or the address
// of its container and a key. The variable belongs to it since a struct and
// its first field have one address.
type instance struct {
	v      *variable
	addr   uintptr
	keyed  bool
	perKey bool // a healing lock for each key, not for the container
	key    any  // comparable to itself, see usable
}

// is compares two instances; keys are compared only when both have one.
//
//go:norace
func (in *instance) is(o *instance) bool {
	return in.addr == o.addr && in.v == o.v && in.keyed == o.keyed && (!in.keyed || in.key == o.key)
}

// overlaps reports whether who claims on has to look out for in as well: a
// container as a whole overlaps all its entries.
//
//go:norace
func (in *instance) overlaps(on *instance) bool {
	return in.addr == on.addr && in.v == on.v && (!in.keyed || !on.keyed || in.key == on.key)
}

// usable reports whether k identifies an entry of a map: not if its dynamic
// type cannot be compared (the program's own access will panic, heal must
// not), nor if it differs from itself, as NaN does.
func usable(k any) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return k == k
}

// What is in the tables below lives: open sections and, in rooms, their cells and healing
// locks that are held or waited for. They hold no pointers, see room.go. All instances in one container share a
// bucket, so that a healing wait can ask for the container as a whole.
const (
	bucketBits = 14
	guards     = 64
)

type bucket struct {
	// The fast section, see fast.go: its owner, and the *Location at which it began, in
	// a table that lives as long as the program. The owner writes that directly after it
	// has taken the word: others may still find the one before.
	owner uint64
	_     [8 - unsafe.Sizeof(uintptr(0))]byte // keeps the next owner aligned on 32-bit machines
	entry uintptr
}

// inUse reports whether there may be a section over some instance in b.
//
//go:norace
func (b *bucket) inUse() bool {
	return loadWord(b.word()) != 0 || roomNumbers[b.number()]&hasCells != 0
}

// guard protects the buckets whose number ends in its own, and what hangs in
// them. It is held for some dozen instructions, never over host code. It is one cache line.
type guard struct {
	sync.Mutex
	cells *cell        // idle cells for reuse
	locks *healingLock // idle locks for reuse
	tick  uint64       // the clock of what happens in these buckets
	rooms []room       // of these buckets, in use or not
	free  uint32       // the first room that is free, by its number from 1; 0 is none
	idle  int32        // cells
}

// stamp advances the clock. The guard must be held.
//
//go:norace
func (gd *guard) stamp() uint64 {
	gd.tick++
	return gd.tick
}

var (
	buckets [1 << bucketBits]bucket
	words   [1 << bucketBits]uint64 // of the buckets, see quick.go; written without the guard
	guarded [guards]guard
)

//go:norace
func place(addr uintptr) (*bucket, *guard) {
	b := bucketNumber(addr)
	return &buckets[b], &guarded[b%guards]
}

//go:norace
func bucketOf(addr uintptr) *bucket {
	return &buckets[bucketNumber(addr)]
}

//go:norace
func bucketNumber(addr uintptr) uintptr { return addr >> 3 & (1<<bucketBits - 1) }

// word is that of b.
//
//go:norace
func (b *bucket) word() *uint64 {
	return &words[b.number()]
}

// maxIdle bounds what a guard keeps for reuse.
const maxIdle = 64
