//go:build !race && (amd64 || arm64)

package heal

import "unsafe"

// These are the quick ways of Load, Before and After for variables whose
// sections no policy of the specification heals. All but LoadEntry are small
// enough to be inlined into the program.

// LoadTouch is Load for a location at which no section begins or ends.
func LoadTouch[T any](f *Frame, l *Location, p *T) T {
	if buckets[uintptr(unsafe.Pointer(p))>>3&(1<<bucketBits-1)].word|wary != 0 {
		return Load(f, l, p)
	}
	return *p
}

// LoadEntry is Load for a location at which sections begin and none ends.
func LoadEntry[T any](f *Frame, l *Location, p *T) T {
	b := bucketOf(uintptr(unsafe.Pointer(p)))
	if b.word|wary != 0 || f.at != nil || uintptr(unsafe.Pointer(p)) < firstAddress || f.stack.holds(unsafe.Pointer(p)) || f.activation != nil {
		return Load(f, l, p)
	}
	f.enterQuickly(b, l, unsafe.Pointer(p))
	return *p
}

// Untouched says that Before and After may be left out around an access at p at
// which no section begins or ends: nobody is in a section over it.
func Untouched(p unsafe.Pointer) bool {
	return buckets[uintptr(p)>>3&(1<<bucketBits-1)].word|wary == 0
}

// Unbroken says that Before may be left out in front of an access at p which
// may end the caller's section: it is open, and nobody has come near.
func (f *Frame) Unbroken(p unsafe.Pointer) bool {
	return f.at == p && buckets[uintptr(p)>>3&(1<<bucketBits-1)].word == uint64(f.g)<<1
}

// Close says that After may be left out behind an access of l at p: the
// caller's only section was open, nobody has come near, and it is closed now.
func (f *Frame) Close(l *Location, p unsafe.Pointer) bool {
	b := &buckets[uintptr(p)>>3&(1<<bucketBits-1)]
	if f.at != p || b.word != uint64(f.g)<<1 || l.closes == nil || l.closes != f.entry.opens {
		return false
	}
	b.word = 0
	f.at = nil
	return true
}

// Pending says whether After is needed behind an access around which Before was
// called.
func (f *Frame) Pending() bool { return f.activation != nil && f.activation.win.active }
