//go:build !atomrace_off && race && (amd64 || arm64)

package heal

import (
	"sync/atomic"
	"unsafe"
)

// Under the race detector atomics would order the host's goroutines and so
// hide the host's races. These are plain accesses that the detector does not
// see; noinline keeps the compiler from merging them.

//go:norace
//go:noinline
func loadWord(p *uint64) uint64 { return *p }

//go:norace
//go:noinline
func storeWord(p *uint64, w uint64) { *p = w }

//go:norace
//go:noinline
func loadPointer(p *unsafe.Pointer) unsafe.Pointer { return *p }

//go:norace
//go:noinline
func storeAddress(p *uintptr, a uintptr) { *p = a }

//go:norace
func compareAndSwap(p *uint64, old, new uint64) bool { return atomic.CompareAndSwapUint64(p, old, new) }
