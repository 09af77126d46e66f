//go:build !atomrace_off && !amd64 && !arm64

package heal

import (
	"sync/atomic"
	"unsafe"
)

// Elsewhere a plain 64-bit store may tear, and a torn word could accuse the
// innocent: atomics, at their price.
func loadWord(p *uint64) uint64                      { return atomic.LoadUint64(p) }
func storeWord(p *uint64, w uint64)                  { atomic.StoreUint64(p, w) }
func loadPointer(p *unsafe.Pointer) unsafe.Pointer   { return atomic.LoadPointer(p) }
func storeAddress(p *uintptr, a uintptr)             { atomic.StoreUintptr(p, a) }
func compareAndSwap(p *uint64, old, new uint64) bool { return atomic.CompareAndSwapUint64(p, old, new) }
