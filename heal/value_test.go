//go:build !atomrace_off

package heal

import (
	"encoding/json"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

type state int8

// A value is shown as Go writes it, and no method of the program runs.
func (state) String() string { panic("must not be called") }

func TestValueText(t *testing.T) {
	x := &struct {
		no, yes   bool
		i8        state
		u8        uint8
		i16       int16
		u16       uint16
		i32       int32
		u32, flag uint32
		f32       float32
		i         int
		u         uint
		up        uintptr
		p, none   *int
	}{yes: true, i8: -3, u8: 200, i16: -300, u16: 60000, i32: -7e8, u32: 4e9, flag: 1, f32: 0.1, i: -5, u: 6, up: 255, p: new(int)}
	at := unsafe.Pointer(x)
	low := uintptr(8) // a field of a nil pointer
	for want, of := range map[string]struct {
		kind   Kind
		offset uintptr
	}{
		"": {KindNone, unsafe.Offsetof(x.i)}, "false": {KindBool, unsafe.Offsetof(x.no)}, "true": {KindBool, unsafe.Offsetof(x.yes)},
		"-3": {KindInt8, unsafe.Offsetof(x.i8)}, "200": {KindUint8, unsafe.Offsetof(x.u8)}, "-300": {KindInt16, unsafe.Offsetof(x.i16)},
		"60000": {KindUint16, unsafe.Offsetof(x.u16)}, "-700000000": {KindInt32, unsafe.Offsetof(x.i32)}, "4000000000": {KindUint32, unsafe.Offsetof(x.u32)},
		"0.1": {KindFloat32, unsafe.Offsetof(x.f32)}, "-5": {KindInt, unsafe.Offsetof(x.i)}, "6": {KindUint, unsafe.Offsetof(x.u)},
		"0xff": {KindUintptr, unsafe.Offsetof(x.up)}, "nil": {KindPointer, unsafe.Offsetof(x.none)},
	} {
		l := &Location{Var: &Variable{Kind: of.kind}}
		if got := l.valueAt(unsafe.Add(at, of.offset)).String(); got != want {
			t.Errorf("kind %d: %q, want %q", of.kind, got, want)
		}
	}
	for want, v := range map[string]value{
		"-9000000000": {^uint64(9e9) + 1, KindInt64}, "18446744073709551615": {^uint64(0), KindUint64}, "2.5": {0x4004 << 48, KindFloat64},
		"true": {1, KindAtomicBool}, "0xc000010000": {0xc000010000, KindPointer},
	} {
		if got := v.String(); got != want {
			t.Errorf("%+v: %q, want %q", v, got, want)
		}
	}
	l := &Location{Var: &Variable{Kind: KindInt}}
	for name, p := range map[string]unsafe.Pointer{"low": *(*unsafe.Pointer)(unsafe.Pointer(&low)), "nil": nil, "astride": unsafe.Add(at, 1)} {
		if v := l.valueAt(p); v != (value{}) {
			t.Errorf("%s: %v", name, v)
		}
	}
}

func TestChangeText(t *testing.T) {
	three, four := value{3, KindInt}, value{4, KindInt}
	for want, a := range map[string]Access{
		"":                                       {Mode: Write},
		"value before: 3":                        {Mode: Write, change: change{before: three}},
		"value after: 4":                         {Mode: Write, change: change{after: four}},
		"value changed: 3 -> 4":                  {Mode: Write, change: change{three, four}},
		"value changed: 3 -> 4 (the first time)": {Mode: Write, Times: 2, change: change{three, four}},
		"value unchanged: 3":                     {Mode: ReadWrite, change: change{three, three}},
		"value: 3":                               {Mode: Read, change: change{three, three}.by(Read)},
	} {
		if got := a.changed(""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := (change{three, four}).by(Read); got != (change{}) {
		t.Errorf("a read is said to change the value: %v", got)
	}
}

// step is an access of l to p in a, which then stores v, if it is not nil.
func step[T any](a *actor, l *Location, p *T, v ...T) {
	a.do(func(f *Frame) {
		f.Before(l, unsafe.Pointer(p), unsafe.Sizeof(*p))
		for i := range v {
			*p = v[i]
		}
		f.After(l, unsafe.Pointer(p))
	})
}

// broke breaks a section over a variable of the kind: from v[0] the foreign write makes
// v[1], and the end v[2].
func broke[T any](t *testing.T, kind Kind, settings string, v [3]T) Violation {
	t.Helper()
	configured(t, settings)
	p := newProgram(t)
	p.v.Kind = kind
	s := p.section("S")
	entry, end, look, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Read), p.at(Write)
	a := actors(t, 2)
	x := &new([4]T)[0]
	*x = v[0]
	got := found(t, func() {
		step(a[0], entry, x)
		step(a[1], look, x)
		step(a[1], other, x, v[1])
		step(a[0], end, x, v[2])
	})
	if len(got) != 1 || len(got[0].Foreign) != 1 {
		t.Fatalf("%v", got)
	}
	idle(t)
	return got[0]
}

// changes is what a violation says of the value, the foreign accesses first.
func changes(x Violation) string {
	var all []string
	for _, a := range append(x.Foreign, x.End) {
		all = append(all, strings.TrimPrefix(a.changed(""), "value "))
	}
	return strings.Join(all, ", ")
}

// What the intruder found and left, and what the end did.
func TestValueChange(t *testing.T) {
	const want = "changed: 3 -> 7, changed: 7 -> 4"
	for _, settings := range []string{"", "heal=auto", "noise=random:1000/1us"} {
		if got := changes(broke(t, KindInt, settings, [3]int{3, 7, 4})); got != want {
			t.Errorf("%s: %s", settings, got)
		}
	}
	if got := changes(broke(t, KindInt8, "", [3]state{-1, 7, 7})); got != "changed: -1 -> 7, unchanged: 7" {
		t.Error(got)
	}
	if got := changes(broke(t, KindBool, "", [3]bool{false, true, false})); got != "changed: false -> true, changed: true -> false" {
		t.Error(got)
	}
	if got := changes(broke(t, KindPointer, "", [3]*int{nil, nil, new(int)})); !strings.HasPrefix(got, "unchanged: nil, changed: nil -> 0x") {
		t.Error(got)
	}
	text, err := json.Marshal(broke(t, KindInt, "", [3]int{3, 7, 4}))
	if err != nil || !strings.Contains(string(text), `"role":"foreign"`) || !strings.Contains(string(text), `"before":"3","after":"7"`) {
		t.Errorf("%s, %v", text, err)
	}
	x := broke(t, KindNone, "", [3]string{"a", "b", "c"})
	if got := changes(x); got != ", " || strings.Contains(x.String(), "    value") {
		t.Errorf("of a string, %s\n%s", got, x)
	}
}

// A foreign access that comes again is shown as it was the first time, if that was in
// the section, and else without values.
func TestValueOfTheFirst(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	p.v.Kind = KindInt
	first, second := p.section("first"), p.section("second")
	begin, again, end, other := p.at(Read, first), p.at(Read, second), p.at(Write, End{Section: first, Allow: Read}, End{Section: second, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	x := apartInt()
	got := found(t, func() {
		step(a[0], begin, x)
		step(a[1], other, x, 1)
		step(a[0], again, x)
		step(a[1], other, x, 2)
		step(a[0], end, x, 5)
	})
	if len(got) != 2 {
		t.Fatalf("%v", got)
	}
	for _, v := range got {
		want := map[string]string{"first": "changed: 0 -> 1 (the first time), changed: 2 -> 5", "second": ", changed: 2 -> 5"}[v.Section.ID]
		if s := changes(v); s != want {
			t.Errorf("%s: %s, want %s", v.Section.ID, s, want)
		}
	}
	idle(t)
}

// An access that is a call, and an end before which nobody was near.
func TestValueOfCalls(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	p.v.Kind = KindInt
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(ReadWrite, End{Section: s, Allow: Read}), p.at(ReadWrite)
	a := actors(t, 2)
	x := apartInt()
	add := func(l *Location, n int, between func()) func(*Frame) {
		return func(f *Frame) { Do00(f, l, unsafe.Pointer(x), func() { *x += n; between() }) }
	}
	got := found(t, func() {
		step(a[0], entry, x)
		a[1].do(add(other, 2, func() {}))
		a[0].do(add(end, 5, func() {}))
	})
	if len(got) != 1 || changes(got[0]) != "changed: 0 -> 2, changed: 2 -> 7" {
		t.Errorf("%v", got)
	}
	_, c, write1, y := countingIn(t, "")
	c.load.Var.Kind = KindInt
	c.within = func(bool) { step(a[1], write1, y, 40) }
	got = found(t, func() { c.add(y) })
	if len(got) != 1 || changes(got[0]) != "changed: 1 -> 40, after: 2" {
		t.Errorf("%v", got)
	}
	idle(t)
}

// In a set of variables the values are those of the member.
func TestValueOfSets(t *testing.T) {
	configured(t, "")
	p := newAccountProgram("example.com/" + t.Name())
	p.balance.Kind, p.version.Kind = KindInt, KindInt
	entry, end, other := p.of(&p.balance, Read, p.together), p.of(&p.version, Write, End{Section: p.together}), p.of(&p.balance, Write)
	a := actors(t, 2)
	x := &new([4]account)[0]
	x.balance, x.version = 10, 1
	got := found(t, func() {
		step(a[0], entry, &x.balance)
		step(a[1], other, &x.balance, 11)
		step(a[0], end, &x.version, 2)
	})
	if len(got) != 1 || changes(got[0]) != "changed: 10 -> 11, changed: 1 -> 2" {
		t.Errorf("%v", got)
	}
	idle(t)
}

// Who runs into a write sees it happen.
func TestValueOfRaces(t *testing.T) {
	for _, test := range []struct {
		kind Kind
		size uintptr
		v    int
		want string
	}{
		{KindInt, unsafe.Sizeof(int(0)), 4, "value changed meanwhile: 3 -> 4"},
		{KindInt, unsafe.Sizeof(int(0)), 3, ""},
		{KindNone, unsafe.Sizeof(int(0)), 4, ""},
		{KindInt, 2 * unsafe.Sizeof(int(0)), 4, ""}, // of something larger than the word
	} {
		configured(t, "")
		p := newProgram(t)
		p.v.Kind = test.kind
		mine, hers := p.at(Write), p.at(Read)
		x := &new([4]int)[0]
		*x = 3
		a := actors(t, 2)
		got := found(t, func() {
			a[0].do(func(*Frame) {
				m := mark(mine, unsafe.Pointer(x), test.size)
				a[1].start(func(*Frame) { Look(hers, unsafe.Pointer(x), unsafe.Sizeof(*x)) })
				for loadWord(&witnessed) == 0 && unreported(reportKey{end: mine, foreign: hers}) {
					runtime.Gosched()
				}
				*x = test.v // Look only looks
				Clear(m)
			})
			a[1].finished()
		})
		if len(got) != 1 || got[0].End.changed(" meanwhile") != test.want || strings.Contains(got[0].String(), "    value") != (test.want != "") ||
			!strings.Contains(got[0].String(), test.want+"\n") {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// Where a lock keeps all accesses apart, what is shown is exact: each write adds one.
func TestValuesAreExact(t *testing.T) {
	shown := 0
	for _, settings := range []string{"", "noise=random:300/10us", "heal=yield wait=1us", "heal=lock wait=1us"} {
		configured(t, settings)
		p := newProgram(t)
		p.v.Kind = KindInt
		s := p.section("S")
		entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
		x, mu := apartInt(), new(sync.Mutex)
		access := func(f *Frame, l *Location) {
			mu.Lock()
			defer mu.Unlock()
			f.Before(l, unsafe.Pointer(x), unsafe.Sizeof(*x))
			if l.Mode == Write {
				*x++
			}
			f.After(l, unsafe.Pointer(x))
		}
		for _, v := range found(t, func() {
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					for range 100 {
						framed(func(f *Frame) {
							access(f, entry)
							runtime.Gosched()
							access(f, end)
							runtime.Gosched()
							access(f, other)
						})
					}
				})
			}
			all.Wait()
		}) {
			for _, a := range append(v.Foreign, v.End) {
				before, after := a.change.before, a.change.after
				if before.kind == KindNone || after.kind == KindNone {
					continue
				}
				shown++
				if after.bits-before.bits != 1 {
					t.Errorf("%s: %s", settings, a.changed(""))
				}
			}
		}
		idle(t)
	}
	if shown == 0 {
		t.Error("nothing was shown")
	}
}
