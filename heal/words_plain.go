//go:build !atomrace_off && !race && (amd64 || arm64)

package heal

import (
	"sync/atomic"
	"unsafe"
)

// loadWord and storeWord touch one word of a table which all goroutines share.
// The store is plain on purpose: an aligned 64-bit store does not tear on
// these machines, and the argument of safety.go needs no more than coherence.
// The load is atomic so that the compiler keeps the mark before it alive.
func loadWord(p *uint64) uint64     { return atomic.LoadUint64(p) }
func storeWord(p *uint64, w uint64) { *p = w }

func loadPointer(p *unsafe.Pointer) unsafe.Pointer { return atomic.LoadPointer(p) }

func storeAddress(p *uintptr, a uintptr) { *p = a }

func compareAndSwap(p *uint64, old, new uint64) bool { return atomic.CompareAndSwapUint64(p, old, new) }
