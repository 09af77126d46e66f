//go:build atomrace_off

package heal

import (
	"os"
	"sync"
	"unsafe"
)

// With the build tag atomrace_off the package does nothing: a program that calls
// it builds and runs as if it had no hooks, and what the hooks would have done is
// not linked. All that says what a violation is stands in files without a tag.

// Enabled says that this build of the package watches and heals.
const Enabled = false

type (
	variable     struct{}
	sectionState struct{}
	config       struct{}

	// G tags a goroutine while it lives.
	G uintptr
	// Stack holds the bounds of a goroutine's stack.
	Stack struct{}
	// Frame belongs to one activation of a function that has hooks.
	Frame struct{}
	// Container says where a map is.
	Container struct{}
	// Marked is an open window of the race table.
	Marked struct{}
)

// Self, Begin and the methods of Frame do nothing.
func Self() *Stack                                                  { return nil }
func Begin() Frame                                                  { return Frame{} }
func (*Frame) End()                                                 {}
func (*Frame) Touch(*Location, unsafe.Pointer, uintptr) (near bool) { return false }
func Enter(_ *Stack, _, _ *Location, _ unsafe.Pointer, _ uintptr) (_ *uint64, ok bool) {
	return nil, true
}
func Leave(_ *uint64, _ *Stack, _, _ *Location, _ unsafe.Pointer, _ uintptr)  {}
func (*Frame) Exit(*Section)                                                  {}
func (*Frame) Before(*Location, unsafe.Pointer, uintptr)                      {}
func (*Frame) After(*Location, unsafe.Pointer)                                {}
func (*Frame) Hold(*Variable, unsafe.Pointer, int)                            {}
func (*Frame) HoldSet(_, _ *Variable, _ unsafe.Pointer, _ int)                {}
func (*Frame) HoldKey(*Variable, *sync.Map, any, int)                         {}
func (*Frame) Release(int)                                                    {}
func Look(*Location, unsafe.Pointer, uintptr)                                 {}
func Mark(*Stack, *Location, unsafe.Pointer, uintptr) (m Marked)              { return m }
func Told(int) (_ uint32)                                                     { return 0 }
func ToldAll(int) (_ uint32)                                                  { return 0 }
func Tick(int) bool                                                           { return false }
func Activated(int)                                                           {}
func BatchOver(int)                                                           {}
func Clear(Marked)                                                            {}
func BeforeKey[M ~map[K]V, K comparable, V any](*Frame, *Location, M, K)      {}
func AfterKey[M ~map[K]V, K comparable, V any](*Frame, *Location, M, K)       {}
func MapPointer[M ~map[K]V, K comparable, V any](M) unsafe.Pointer            { return nil }
func MapAt[M ~map[K]V, K comparable, V any](*M) unsafe.Pointer                { return nil }
func MarkMap[M ~map[K]V, K comparable, V any](*Stack, *Location, M, K) Marked { return Marked{} }

// The hooks that are an access make it.
func Load[T any](_ *Frame, _ *Location, p *T) T { return *p }
func Reach[T any](_ *Location, p *T) *T         { return p }
func Peek[T any](_ *Location, p *T) T           { return *p }

func Do00(_ *Frame, _ *Location, _ unsafe.Pointer, fn func())            { fn() }
func Do01[R any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func() R) R { return fn() }
func Do02[R, S any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func() (R, S)) (R, S) {
	return fn()
}
func Field(p unsafe.Pointer, _ uintptr) unsafe.Pointer                     { return p }
func MapField(unsafe.Pointer, uintptr) (c Container)                       { return c }
func SyncMapField(unsafe.Pointer, uintptr) (c Container)                   { return c }
func Do10[A any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func(A), a A) { fn(a) }
func Do11[A, R any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func(A) R, a A) R {
	return fn(a)
}
func Do12[A, R, S any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func(A) (R, S), a A) (R, S) {
	return fn(a)
}
func Do20[A, B any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func(A, B), a A, b B) { fn(a, b) }
func Do21[A, B, R any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func(A, B) R, a A, b B) R {
	return fn(a, b)
}
func Do22[A, B, R, S any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func(A, B) (R, S), a A, b B) (R, S) {
	return fn(a, b)
}
func Do30[A, B, C any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func(A, B, C), a A, b B, c C) {
	fn(a, b, c)
}
func Do31[A, B, C, R any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func(A, B, C) R, a A, b B, c C) R {
	return fn(a, b, c)
}
func Do32[A, B, C, R, S any](_ *Frame, _ *Location, _ unsafe.Pointer, fn func(A, B, C) (R, S), a A, b B, c C) (R, S) {
	return fn(a, b, c)
}
func DoKey10[A any](_ *Frame, _ *Location, _ Container, fn func(A), a A) {
	fn(a)
}
func DoKey11[A, R any](_ *Frame, _ *Location, _ Container, fn func(A) R, a A) R {
	return fn(a)
}
func DoKey12[A, R, S any](_ *Frame, _ *Location, _ Container, fn func(A) (R, S), a A) (R, S) {
	return fn(a)
}
func DoKey20[A, B any](_ *Frame, _ *Location, _ Container, _ int, fn func(A, B), a A, b B) {
	fn(a, b)
}
func DoKey21[A, B, R any](_ *Frame, _ *Location, _ Container, _ int, fn func(A, B) R, a A, b B) R {
	return fn(a, b)
}
func DoKey22[A, B, R, S any](_ *Frame, _ *Location, _ Container, _ int, fn func(A, B) (R, S), a A, b B) (R, S) {
	return fn(a, b)
}
func DoKey30[A, B, C any](_ *Frame, _ *Location, _ Container, _ int, fn func(A, B, C), a A, b B, c C) {
	fn(a, b, c)
}
func DoKey31[A, B, C, R any](_ *Frame, _ *Location, _ Container, _ int, fn func(A, B, C) R, a A, b B, c C) R {
	return fn(a, b, c)
}
func DoKey32[A, B, C, R, S any](_ *Frame, _ *Location, _ Container, _ int, fn func(A, B, C) (R, S), a A, b B, c C) (R, S) {
	return fn(a, b, c)
}

func MapLoad[M ~map[K]V, K comparable, V any](_ *Frame, _ *Location, m M, k K) V { return m[k] }
func MapLoad2[M ~map[K]V, K comparable, V any](_ *Frame, _ *Location, m M, k K) (V, bool) {
	v, ok := m[k]
	return v, ok
}
func MapLen[M ~map[K]V, K comparable, V any](_ *Frame, _ *Location, m M) int { return len(m) }
func MapPeek[M ~map[K]V, K comparable, V any](_ *Location, m M, k K) V       { return m[k] }
func MapPeek2[M ~map[K]V, K comparable, V any](_ *Location, m M, k K) (V, bool) {
	v, ok := m[k]
	return v, ok
}
func MapPeekLen[M ~map[K]V, K comparable, V any](_ *Location, m M) int { return len(m) }

func SyncMapLoad(_ *Frame, _ *Location, m *sync.Map, k any) (any, bool) { return m.Load(k) }
func SyncMapStore(_ *Frame, _ *Location, m *sync.Map, k, v any)         { m.Store(k, v) }
func SyncMapLoadOrStore(_ *Frame, _ *Location, m *sync.Map, k, v any) (any, bool) {
	return m.LoadOrStore(k, v)
}
func SyncMapLoadAndDelete(_ *Frame, _ *Location, m *sync.Map, k any) (any, bool) {
	return m.LoadAndDelete(k)
}
func SyncMapDelete(_ *Frame, _ *Location, m *sync.Map, k any)              { m.Delete(k) }
func SyncMapSwap(_ *Frame, _ *Location, m *sync.Map, k, v any) (any, bool) { return m.Swap(k, v) }
func SyncMapCompareAndSwap(_ *Frame, _ *Location, m *sync.Map, k, old, new any) bool {
	return m.CompareAndSwap(k, old, new)
}
func SyncMapCompareAndDelete(_ *Frame, _ *Location, m *sync.Map, k, old any) bool {
	return m.CompareAndDelete(k, old)
}

// There is nothing to configure, to report or to count.
func Defaults(string)                    {}
func Validate(string) error              { return nil }
func OnViolation(func(Violation))        {}
func SetPolicy(string, Policy)           {}
func Suspend(bool)                       {}
func Stats() Statistics                  { return Statistics{} }
func Sections() []SectionStatistics      { return nil }
func RunTests(m interface{ Run() int })  { os.Exit(m.Run()) }
func Exit()                              {}
func ExitCode(c int) int                 { return c }
func ExitFunc(exit func(int)) func(int)  { return exit }
func Watch(T)                            {}
func Subtest[X T](f func(X)) func(X)     { return f }
func Parallel(t interface{ Parallel() }) { t.Parallel() }
