//go:build !atomrace_off

package heal

import (
	"testing"
	"unsafe"
)

// What healing costs those who are not healed: HookedSection against the same hooks as
// they would be if there were no healing. These are kept as the originals are, line by
// line, but for what is said of fast sections.

func BenchmarkHookedSectionNoHealing(b *testing.B) {
	load, store := healedLocations(b, "")
	x := shared
	b.ReportAllocs()
	for b.Loop() {
		func() {
			f := Begin()
			defer f.endWatching()
			incrementWatching(&f, load, store, &x.f)
		}()
	}
}

func incrementWatching(f *Frame, load, store *Location, x *int) {
	v := loadWatching(f, load, x)
	writeWatching(f, store, x, v+1)
}

func writeWatching[T any](f *Frame, l *Location, p *T, v T) {
	f.beforeWatching(l, unsafe.Pointer(p), unsafe.Sizeof(v))
	if l.Race {
		m := mark(l, unsafe.Pointer(p), unsafe.Sizeof(v))
		*p = v
		Clear(m)
	} else {
		*p = v
	}
	f.afterWatching(l, unsafe.Pointer(p))
}

func loadWatching[T any](f *Frame, l *Location, p *T) T {
	f.beforeWatching(l, unsafe.Pointer(p), unsafe.Sizeof(*p))
	if l.Race {
		Look(l, unsafe.Pointer(p), unsafe.Sizeof(*p))
	}
	v := *p
	if len(l.endings()) > 0 || f.pending() {
		f.afterWatching(l, unsafe.Pointer(p))
	}
	return v
}

//go:norace
func (f *Frame) beforeWatching(l *Location, p unsafe.Pointer, size uintptr) {
	if l.quick == generation && f.passes(l, p) {
		return
	}
	if f.ready(l, p) {
		f.before(l, p, size, false)
	}
}

//go:norace
func (f *Frame) afterWatching(l *Location, p unsafe.Pointer) {
	switch {
	case f.pending():
		f.after(l, l.Mode, p)
	case len(l.endings()) > 0:
		if f.count > 0 {
			f.finishQuickly(l, p)
		}
		if len(l.entries()) > 0 && l.quick == generation {
			f.enters(l, p)
		}
	}
}

//go:norace
func (f *Frame) endWatching() {
	for f.count > 0 {
		f.quit(f.count - 1)
	}
	if f.activation != nil {
		f.close()
	}
	if loadWord(&polling) != 0 {
		poll()
	}
}
