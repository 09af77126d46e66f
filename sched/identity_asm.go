//go:build amd64 || arm64

package sched

// identity returns the address of the calling goroutine's descriptor, which is
// its own while it lives.
func identity() uintptr
