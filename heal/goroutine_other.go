//go:build !amd64 && !arm64

package heal

import "unsafe"

// getg falls back to the goroutine's id where no assembly is written: unique
// for ever, but some hundred times slower.
func getg() uintptr { return uintptr(goroutineID()) }

// self has nothing to tell: where nothing moves, nobody asks.
func self() *Stack { return nil }

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
