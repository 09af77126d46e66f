package heal

import "unsafe"

// samples is at how many places accesses to many elements at once look and
// leave marks: both ends and places in between. It bounds what such a hook
// costs, whatever the number of elements is.
const samples = 8

// A span is the memory of adjacent elements. It is looked at in parts: what of it lies
// in one granule of the race table, and so in one slot, is one window with its exact
// bytes. Who accesses an element that begins there meets it.
type span struct {
	start unsafe.Pointer
	size  uintptr // in bytes
	parts int     // at most samples of them are looked at
}

// marks are the windows of the parts of a span.
type marks struct {
	open [samples]Marked
	n    int
}

// granule is how many bits of an address share a slot of the race table: a cache line.
const granule = 6

func spanOf[T any](list []T) span {
	size := uintptr(len(list)) * unsafe.Sizeof(*new(T))
	if size == 0 {
		return span{}
	}
	start := unsafe.Pointer(unsafe.SliceData(list))
	return span{start, size, int((uintptr(start)%(1<<granule)+size-1)>>granule) + 1}
}

// part is the i-th of those that are looked at.
func (s *span) part(i int) (p unsafe.Pointer, size uintptr) {
	if s.parts > samples {
		i = i * (s.parts - 1) / (samples - 1)
	}
	before := uintptr(s.start) % (1 << granule)
	from, to := uintptr(i)<<granule, uintptr(i+1)<<granule
	from = max(from, before) - before
	to = min(to-before, s.size)
	return unsafe.Add(s.start, from), to - from
}

// look looks for foreign accesses.
func (s *span) look(l *Location) {
	for i := range min(s.parts, samples) {
		p, size := s.part(i)
		Look(l, p, size)
	}
}

// mark opens windows; clear closes them. look has come before: what is seen
// after the first mark could be one's own.
func (s *span) mark(stack *Stack, l *Location, m *marks) {
	m.n = min(s.parts, samples)
	for i := range m.n {
		p, size := s.part(i)
		m.open[i] = Mark(stack, l, p, size)
	}
}

func (m *marks) clear() {
	for i := range m.n {
		Clear(m.open[i])
	}
}

// PeekSlice is an instrumented list in append(…, list...), which reads the
// elements directly afterwards.
func PeekSlice[S ~[]T, T any](l *Location, list S) S {
	s := spanOf(list)
	s.look(l)
	return list
}

// CopySlice is an instrumented copy(dst, src): from is the location of the
// read, to that of the write. One of them is nil if it is not watched.
func CopySlice[D, S ~[]T, T any](stack *Stack, to, from *Location, dst D, src S) int {
	n := min(len(dst), len(src))
	if from != nil {
		s := spanOf(src[:n])
		s.look(from)
	}
	if to == nil {
		return copy(dst, src)
	}
	s := spanOf(dst[:n])
	s.look(to)
	var m marks
	s.mark(stack, to, &m)
	copy(dst, src)
	m.clear()
	return n
}

// CopyString is CopySlice for an src that is a string.
func CopyString[D ~[]byte, S ~string](stack *Stack, to *Location, dst D, src S) int {
	s := spanOf(dst[:min(len(dst), len(src))])
	s.look(to)
	var m marks
	s.mark(stack, to, &m)
	n := copy(dst, src)
	m.clear()
	return n
}

// ClearSlice is an instrumented clear(list) of a slice.
func ClearSlice[S ~[]T, T any](stack *Stack, l *Location, list S) {
	s := spanOf(list)
	s.look(l)
	var m marks
	s.mark(stack, l, &m)
	clear(list)
	m.clear()
}
