//go:build !atomrace_off && !amd64 && !arm64

package heal

import "unsafe"

// getg falls back to the goroutine's id where no assembly is written: unique
// for ever (below 2^29 on 32-bit machines), but some hundred times slower. Its low
// bits are free for flags, as those of an address are: see flagged.
func getg() uintptr { return uintptr(goroutineID()) << 3 }

// nowhere is a stack that holds nothing: the variables that heal gets to see
// live on the heap here.
var nowhere Stack

func self() *Stack { return &nowhere }

// tag is that of the calling goroutine.
func (s *Stack) tag() G { return G(getg()) }

// escaped is never written; onOwnStack mentions it so that p escapes.
var (
	escaped unsafe.Pointer
	escapes bool
)

// onOwnStack makes what p points to live on the heap, where nothing moves,
// and so can always say no.
func onOwnStack(p unsafe.Pointer) bool {
	if escapes {
		escaped = p
	}
	return false
}
