//go:build !atomrace_off

package heal

import (
	"runtime"
	"unsafe"
)

// G tags a goroutine while it lives: the address of its runtime descriptor.
// The runtime reuses descriptors, so a G identifies nothing once the
// goroutine has ended; reports use the real goroutine id instead.
type G uintptr

// Stack holds the bounds of a goroutine's stack. They are the runtime's own and
// move with the stack; only the goroutine itself may look at them.
type Stack struct{ low, high uintptr }

// holds reports whether p points into the stack. The caller must be the stack's
// own goroutine; it does not move in between, for it moves in calls alone, and
// a goroutine that is preempted anywhere else keeps its stack as it is.
//
//go:norace
func (s *Stack) holds(p unsafe.Pointer) bool { return uintptr(p)-s.low < s.high-s.low }

// Self returns the bounds of the calling goroutine's stack, for the light hooks
// that write (Mark, MarkMap). Fetch it once a function.
func Self() *Stack { return self() }

// goroutineID returns the number that the runtime prints in its tracebacks.
// It formats a stack header and so belongs to the slow path alone.
func goroutineID() uint64 {
	var buf [64]byte
	n := runtime.Stack(buf[:], false)
	return parseGoroutineID(buf[:n])
}

// parseGoroutineID reads the number out of "goroutine 18 [running]:…"; zero
// when the header has another form.
func parseGoroutineID(header []byte) uint64 {
	const prefix = "goroutine "
	if len(header) < len(prefix) || string(header[:len(prefix)]) != prefix {
		return 0
	}
	var id uint64
	for _, c := range header[len(prefix):] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uint64(c-'0')
	}
	return id
}

// hidden returns p without its history, so that keeping the result in a Frame
// does not make p's referent escape. It is used only for pointers which
// onOwnStack has found to lie outside the stack; for these nothing is lost.
//
//go:norace
//go:nosplit
func hidden(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}
