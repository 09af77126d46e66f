//go:build !atomrace_off

package heal

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// The instance of a section over map entries is map and key.
func TestMapKeys(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	for _, test := range []struct {
		theirs string
		want   int
	}{{"mine", 1}, {"another", 0}} {
		m := map[string]int{}
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(func(f *Frame) { MapLoad2(f, entry, m, "mine") })
			a[1].do(func(f *Frame) {
				BeforeKey(f, other, m, test.theirs)
				m[test.theirs] = 1
				AfterKey(f, other, m, test.theirs)
			})
			a[0].do(func(f *Frame) {
				BeforeKey(f, end, m, "mine")
				m["mine"] = 2
				AfterKey(f, end, m, "mine")
			})
		})
		if len(got) != test.want {
			t.Errorf("key %q: %v", test.theirs, got)
		}
		if len(got) > 0 && got[0].Key != `"mine"` {
			t.Errorf("key %s", got[0].Key)
		}
		idle(t)
	}
}

// The program's own panics come from its own access, and leave nothing behind.
func TestMapPanicsAreTheProgramsOwn(t *testing.T) {
	for _, settings := range []string{"", "heal=lock", "noise=random:1000/0s"} {
		configured(t, settings)
		p := newProgram(t)
		s := p.section("S")
		entry, end := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
		entry.Race, end.Race = true, true
		f := Begin()
		m := map[any]int{}
		panics := func(name string, do func()) {
			t.Helper()
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			do()
		}
		panics("unhashable read", func() { MapLoad(&f, entry, m, any([]int{})) })
		panics("unhashable write", func() {
			BeforeKey(&f, end, m, any([]int{}))
			m[[]int{}] = 1
		})
		panics("unhashable, light", func() {
			defer Clear(Marked{})
			w := MarkMap(Self(), end, m, any([]int{}))
			m[[]int{}] = 1
			Clear(w)
		})
		var none map[string]int
		if MapLoad(&f, entry, none, "x") != 0 || MapLen(&f, entry, none) != 0 {
			t.Error("a nil map is empty")
		}
		panics("nil map", func() {
			BeforeKey(&f, end, none, "x")
			none["x"] = 1
		})
		var sm sync.Map
		panics("unhashable sync.Map key", func() { SyncMapStore(&f, end, &sm, []int{}, 1) })
		var value atomic.Value
		panics("atomic.Value", func() { Do10(&f, end, unsafe.Pointer(&value), value.Store, any(nil)) })
		f.End()
		idle(t)
		for i := range slots {
			if slots[i] != 0 {
				t.Fatal("a mark was left behind")
			}
		}
	}
}

// An entry under NaN is never found again: it is not monitored.
func TestNaN(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry := p.at(Read, s)
	f := Begin()
	m := map[float64]int{}
	BeforeKey(&f, entry, m, math.NaN())
	m[math.NaN()] = 1
	AfterKey(&f, entry, m, math.NaN())
	idle(t)
	f.End()
}

// sync.Map entries; the operations that may turn out mere reads count as such.
func TestSyncMap(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	w := p.at(ReadWrite)
	for _, test := range []struct {
		name string
		do   func(f *Frame, m *sync.Map)
		want int
	}{
		{"Store", func(f *Frame, m *sync.Map) { SyncMapStore(f, w, m, "k", 1) }, 1},
		{"Store, another key", func(f *Frame, m *sync.Map) { SyncMapStore(f, w, m, "l", 1) }, 0},
		{"Swap", func(f *Frame, m *sync.Map) { SyncMapSwap(f, w, m, "k", 1) }, 1},
		{"Delete", func(f *Frame, m *sync.Map) { SyncMapDelete(f, w, m, "k") }, 1},
		{"LoadOrStore that stored", func(f *Frame, m *sync.Map) { SyncMapLoadOrStore(f, w, m, "k", 1) }, 1},
		{"LoadOrStore that loaded", func(f *Frame, m *sync.Map) { m.Store("k", 1); SyncMapLoadOrStore(f, w, m, "k", 1) }, 0},
		{"LoadAndDelete of nothing", func(f *Frame, m *sync.Map) { SyncMapLoadAndDelete(f, w, m, "k") }, 0},
		{"LoadAndDelete", func(f *Frame, m *sync.Map) { m.Store("k", 1); SyncMapLoadAndDelete(f, w, m, "k") }, 1},
		{"CompareAndSwap that failed", func(f *Frame, m *sync.Map) { SyncMapCompareAndSwap(f, w, m, "k", 1, 2) }, 0},
		{"CompareAndSwap", func(f *Frame, m *sync.Map) { m.Store("k", 1); SyncMapCompareAndSwap(f, w, m, "k", 1, 2) }, 1},
		{"CompareAndDelete that failed", func(f *Frame, m *sync.Map) { SyncMapCompareAndDelete(f, w, m, "k", 1) }, 0},
		{"CompareAndDelete", func(f *Frame, m *sync.Map) { m.Store("k", 1); SyncMapCompareAndDelete(f, w, m, "k", 1) }, 1},
	} {
		m := new(sync.Map)
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(func(f *Frame) { SyncMapLoad(f, entry, m, "k") })
			a[1].do(func(f *Frame) { test.do(f, m) })
			a[0].do(func(f *Frame) { SyncMapStore(f, end, m, "k", 3) })
		})
		if len(got) != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		idle(t)
	}
}

// A flag closed twice: atomic Load, then Store. A compare-and-swap that fails
// is a read.
func TestAtomics(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, cas, read := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(ReadWrite), p.at(Read)
	for _, test := range []struct {
		name string
		do   func(f *Frame, x *atomic.Int32)
		want int
	}{
		{"Store", func(f *Frame, x *atomic.Int32) { Do10(f, end, unsafe.Pointer(x), x.Store, int32(1)) }, 1},
		{"Load", func(f *Frame, x *atomic.Int32) { Do01(f, read, unsafe.Pointer(x), x.Load) }, 0},
		{"Add", func(f *Frame, x *atomic.Int32) { Do11(f, cas, unsafe.Pointer(x), x.Add, int32(1)) }, 1},
		{"CompareAndSwap", func(f *Frame, x *atomic.Int32) {
			Do21(f, cas, unsafe.Pointer(x), x.CompareAndSwap, int32(0), int32(1))
		}, 1},
		{"CompareAndSwap that fails", func(f *Frame, x *atomic.Int32) {
			Do21(f, cas, unsafe.Pointer(x), x.CompareAndSwap, int32(7), int32(1))
		}, 0},
		{"function that fails", func(f *Frame, x *atomic.Int32) {
			Do31(f, cas, unsafe.Pointer(x), atomic.CompareAndSwapInt32, (*int32)(unsafe.Pointer(x)), int32(7), int32(1))
		}, 0},
	} {
		x := new(atomic.Int32)
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(func(f *Frame) { Do01(f, entry, unsafe.Pointer(x), x.Load) })
			a[1].do(func(f *Frame) { test.do(f, x) })
			a[0].do(func(f *Frame) { Do10(f, end, unsafe.Pointer(x), x.Store, int32(1)) })
		})
		if len(got) != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		idle(t)
	}
}

// A call that may synchronise counts only if it lies wholly inside: a store
// that began inside the section and ended after it proves nothing.
func TestCallsAreJudgedStrictly(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	x := new(atomic.Int32)
	word := unsafe.Pointer(x)
	load := func(f *Frame) { Do01(f, entry, word, x.Load) }
	store := func(f *Frame) { Do10(f, end, word, x.Store, int32(1)) }
	write := func(f *Frame) { Do10(f, other, word, x.Store, int32(2)) }
	inside := func(f *Frame, l *Location, then func()) {
		Do00(f, l, word, then)
	}
	t.Run("ends later", func(t *testing.T) {
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(load)
			a[1].do(func(f *Frame) { inside(f, other, func() { a[0].do(store) }) })
		})
		if got != nil {
			t.Error(got)
		}
	})
	t.Run("during the entry", func(t *testing.T) {
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(func(f *Frame) { inside(f, entry, func() { a[1].do(write) }) })
			a[0].do(store)
		})
		if got != nil {
			t.Error(got)
		}
	})
	t.Run("during the entry of a later round", func(t *testing.T) {
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(func(f *Frame) {
				inside(f, entry, func() {})
				a[1].do(write) // breaks nothing, for the entry comes again; the section is known now
				inside(f, entry, func() { a[1].do(write) })
				Do10(f, end, word, x.Store, int32(1))
			})
		})
		if got != nil {
			t.Error(got)
		}
	})
	t.Run("during the end", func(t *testing.T) {
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(load)
			a[0].do(func(f *Frame) { inside(f, end, func() { a[1].do(write) }) })
		})
		if got != nil {
			t.Error(got)
		}
	})
	t.Run("began earlier", func(t *testing.T) {
		a := actors(t, 2)
		got := found(t, func() {
			a[1].do(func(f *Frame) { inside(f, other, func() { a[0].do(load) }) })
			a[0].do(store)
		})
		if got != nil {
			t.Error(got)
		}
	})
	t.Run("began earlier, with another one inside", func(t *testing.T) {
		a := actors(t, 3)
		got := found(t, func() {
			a[2].do(load)
			a[1].do(func(f *Frame) { inside(f, other, func() { a[0].do(load) }) })
			a[0].do(store)
			a[2].do(func(f *Frame) { f.Exit(s) })
		})
		if got != nil {
			t.Error(got)
		}
	})
	t.Run("reaches into the end", func(t *testing.T) {
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(load)
			begun, goOn := make(chan struct{}), make(chan struct{})
			a[1].start(func(f *Frame) { inside(f, other, func() { close(begun); <-goOn }) })
			<-begun
			a[0].do(func(f *Frame) { inside(f, end, func() { close(goOn); a[1].finished() }) })
		})
		if got != nil {
			t.Error(got)
		}
	})
	t.Run("inside", func(t *testing.T) {
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(load)
			a[1].do(write)
			a[0].do(func(f *Frame) { inside(f, end, func() { a[1].do(write) }) })
		})
		if len(got) != 1 {
			t.Error(got)
		}
	})
	idle(t)
}

// A read of a map in which nobody has a section open leaves its key on the stack; a
// read that a section does not allow is seen all the same, and so is a write.
func TestMapReadIsQuick(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end := p.at(Write, s), p.at(Write, End{Section: s, Allow: Write})
	read := p.at(Read)
	read.Race = true
	m := map[uint64]int{1 << 40: 1}
	f := Begin()
	MapLoad(&f, read, m, 1<<40) // the first one learns the settings
	if n := testing.AllocsPerRun(100, func() { MapLoad(&f, read, m, 1<<40) }); n != 0 && !raceBuild {
		t.Errorf("%v allocations", n)
	}
	a := actors(t, 2)
	got := found(t, func() {
		a[0].do(func(f *Frame) {
			BeforeKey(f, entry, m, 1<<40)
			m[1<<40] = 2
			AfterKey(f, entry, m, 1<<40)
		})
		a[1].do(func(f *Frame) { MapLoad(f, read, m, 1<<40) })
		a[0].do(func(f *Frame) {
			BeforeKey(f, end, m, 1<<40)
			m[1<<40] = 3
			AfterKey(f, end, m, 1<<40)
		})
	})
	if len(got) != 1 {
		t.Errorf("read within a section: %v", got)
	}
	got = found(t, func() {
		a[0].do(func(*Frame) {
			w := MarkMap(Self(), end, m, 1<<40)
			a[1].do(func(f *Frame) { MapLoad(f, read, m, 1<<40) })
			Clear(w)
		})
	})
	if len(got) != 1 || got[0].Section != nil {
		t.Errorf("read within the window of a write: %v", got)
	}
	f.End()
	idle(t)
}
