//go:build !amd64 && !arm64

package sched

// identity falls back to the goroutine's number where no assembly is written;
// some hundred times slower.
func identity() uintptr { return uintptr(goroutineNumber()) }
