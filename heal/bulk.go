package heal

import "unsafe"

// samples is at how many places accesses to many elements at once look and
// leave marks: both ends and places in between. It bounds what such a hook
// costs, whatever the number of elements is.
const samples = 8

// A span is the memory of adjacent elements.
type span struct {
	start unsafe.Pointer
	size  uintptr // of an element
	n     int     // number of elements
}

func spanOf[T any](list []T) span {
	if len(list) == 0 {
		return span{}
	}
	return span{unsafe.Pointer(unsafe.SliceData(list)), unsafe.Sizeof(list[0]), len(list)}
}

// sample is the address of the i-th element that is sampled.
func (s *span) sample(i int) unsafe.Pointer {
	if s.n > samples {
		i = i * (s.n - 1) / (samples - 1)
	}
	return unsafe.Add(s.start, uintptr(i)*s.size)
}

func (s *span) samples() int { return min(s.n, samples) }

// look looks for foreign accesses.
func (s *span) look(l *Location) {
	for i := range s.samples() {
		Look(l, s.sample(i), s.size)
	}
}

// mark opens windows; clearAll closes them. look has come before: what is seen
// after the first mark could be one's own.
func (s *span) mark(stack *Stack, l *Location) (m [samples]Marked) {
	for i := range s.samples() {
		m[i] = Mark(stack, l, s.sample(i), s.size)
	}
	return m
}

func clearAll(m *[samples]Marked) {
	for i := range m {
		Clear(m[i])
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
	m := s.mark(stack, to)
	copy(dst, src)
	clearAll(&m)
	return n
}

// CopyString is CopySlice for an src that is a string.
func CopyString[D ~[]byte, S ~string](stack *Stack, to *Location, dst D, src S) int {
	s := spanOf(dst[:min(len(dst), len(src))])
	s.look(to)
	m := s.mark(stack, to)
	n := copy(dst, src)
	clearAll(&m)
	return n
}

// ClearSlice is an instrumented clear(list) of a slice.
func ClearSlice[S ~[]T, T any](stack *Stack, l *Location, list S) {
	s := spanOf(list)
	s.look(l)
	m := s.mark(stack, l)
	clear(list)
	clearAll(&m)
}
