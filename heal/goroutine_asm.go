//go:build !atomrace_off && (amd64 || arm64)

package heal

import "unsafe"

// getg returns the address of the calling goroutine's descriptor.
func getg() uintptr

// self returns the same, for the sake of its first two words.
func self() *Stack

// tag is that of the goroutine with the stack s.
func (s *Stack) tag() G { return G(uintptr(unsafe.Pointer(s))) }

// onOwnStack reports whether p points into the calling goroutine's stack. It
// is written in assembly because there it cannot be preempted: between two
// loads in Go the stack could move. The bounds are the first two words of the
// descriptor.
//
//go:noescape
func onOwnStack(p unsafe.Pointer) bool
