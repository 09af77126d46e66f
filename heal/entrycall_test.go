//go:build !atomrace_off

package heal

import (
	"sync"
	"testing"
	"unsafe"
)

// ledger has methods that are each one critical section about one entry.
type ledger struct {
	mu   sync.Mutex
	m    map[string]int
	sync sync.Map
}

func (t *ledger) get(k string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[k]
}

func (t *ledger) set(n int, k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k] = n
}

func (t *ledger) load(k string) (any, bool) { return t.sync.Load(k) }
func (t *ledger) store(k string, v any)     { t.sync.Store(k, v) }

// A section that begins and ends with calls about an entry is about map and key.
func TestCallsAboutEntries(t *testing.T) {
	for _, settings := range []string{"", "heal=lock"} {
		configured(t, settings)
		p := newProgram(t)
		s := p.section("S")
		entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
		entry.Call, end.Call = true, true
		offset := unsafe.Offsetof(ledger{}.m)
		disturb := func(f *Frame, x *ledger, k string) {
			BeforeKey(f, other, x.m, k)
			x.m[k] = 1
			AfterKey(f, other, x.m, k)
		}
		for _, test := range []struct {
			key     string
			another bool // map
			want    int
		}{{"mine", false, 1}, {"another", false, 0}, {"mine", true, 0}} {
			x := &ledger{m: map[string]int{}}
			theirs := x
			if test.another {
				theirs = &ledger{m: map[string]int{}}
			}
			a := actors(t, 2)
			waits := settings != "" && !test.another // the healing lock is that of the map
			got := found(t, func() {
				a[0].do(func(f *Frame) { DoKey11(f, entry, MapField(unsafe.Pointer(x), offset), x.get, "mine") })
				a[1].start(func(f *Frame) { disturb(f, theirs, test.key) })
				if !waits {
					a[1].finished()
				}
				a[0].do(func(f *Frame) { DoKey20(f, end, MapField(unsafe.Pointer(x), offset), 1, x.set, 2, "mine") })
				if waits {
					a[1].finished()
				}
			})
			if waits {
				test.want = 0
			}
			if len(got) != test.want {
				t.Errorf("%q, %+v: %v", settings, test, got)
			}
			if len(got) > 0 && got[0].Key != `"mine"` {
				t.Errorf("key %s", got[0].Key)
			}
			idle(t)
		}
	}
}

// What comes within the calls is outside, and there may be no map.
func TestCallsAboutEntriesEnds(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	entry.Call, end.Call = true, true
	x := new(ledger)
	a := actors(t, 2)
	in := SyncMapField(unsafe.Pointer(x), unsafe.Offsetof(x.sync))
	disturb := func() { a[1].do(func(f *Frame) { SyncMapStore(f, other, &x.sync, "mine", 1) }) }
	for _, test := range []struct {
		name string
		do   func(f *Frame)
		want int
	}{
		{"in between", func(f *Frame) {
			DoKey12(f, entry, in, x.load, "mine")
			disturb()
			DoKey20(f, end, in, 0, x.store, "mine", any(2))
		}, 1},
		{"within the calls", func(f *Frame) {
			DoKey11(f, entry, in, func(k string) any { disturb(); v, _ := x.load(k); return v }, "mine")
			DoKey10(f, end, in, func(k string) { x.store(k, 2); disturb() }, "mine")
		}, 0},
		{"another key at the end", func(f *Frame) {
			DoKey12(f, entry, in, x.load, "mine")
			disturb()
			DoKey20(f, end, in, 0, x.store, "another", any(2))
		}, 0},
		{"no map yet", func(f *Frame) {
			none := MapField(unsafe.Pointer(x), unsafe.Offsetof(x.m))
			DoKey11(f, entry, none, x.get, "mine")
			DoKey32(f, end, none, 2, func(int, int, string) (_, _ int) { return 0, 0 }, 1, 2, "mine")
		}, 0},
		{"no object", func(f *Frame) {
			DoKey11(f, entry, MapField(nil, 8), func(string) int { return 0 }, "mine")
			DoKey11(f, entry, SyncMapField(nil, 8), func(string) int { return 0 }, "mine")
		}, 0},
		{"a key that is not equal to itself", func(f *Frame) {
			DoKey11(f, entry, in, func(any) int { return 0 }, any([]int{}))
		}, 0},
	} {
		got := found(t, func() {
			a[0].do(func(f *Frame) { test.do(f); f.Exit(s) })
		})
		if len(got) != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		idle(t)
	}
}
