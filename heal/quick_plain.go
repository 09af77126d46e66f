//go:build race || (!amd64 && !arm64)

package heal

import "unsafe"

// Under the race detector, and where a plain store may tear, there are no
// shortcuts. See quick_inline.go for what these mean.

// LoadTouch is Load.
func LoadTouch[T any](f *Frame, l *Location, p *T) T { return Load(f, l, p) }

// LoadEntry is Load.
func LoadEntry[T any](f *Frame, l *Location, p *T) T { return Load(f, l, p) }

// Untouched says that Before is needed.
func Untouched(p unsafe.Pointer) bool { return false }

// Unbroken says that Before is needed.
func (f *Frame) Unbroken(p unsafe.Pointer) bool { return false }

// Close says that After is needed.
func (f *Frame) Close(l *Location, p unsafe.Pointer) bool { return false }

// Pending says that After is needed.
func (f *Frame) Pending() bool { return true }
