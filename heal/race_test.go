//go:build !atomrace_off

package heal

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// papers/001 Figure 2: B accesses what A is accessing. B's hooks run inside
// A's window; only the hooks, so that the tests themselves are race-clean.
func TestFigure2(t *testing.T) {
	type span struct{ offset, size uintptr }
	for _, test := range []struct {
		name       string
		mine, hers Mode
		at, other  span
		want       bool
	}{
		{"write, write", Write, Write, span{0, 8}, span{0, 8}, true},
		{"write, read", Write, Read, span{0, 8}, span{0, 8}, true},
		{"neighbours in one granule", Write, Write, span{0, 4}, span{4, 4}, false},
		{"neighbouring bytes", Write, Write, span{3, 1}, span{4, 1}, false},
		{"overlap within a granule", Write, Write, span{0, 4}, span{3, 1}, true},
		{"a string header and its first word", Write, Write, span{0, 16}, span{0, 8}, true},
		{"next granule", Write, Write, span{0, 8}, span{8, 8}, false},
		{"no bytes", Write, Write, span{0, 8}, span{0, 0}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			configured(t, "")
			p := newProgram(t)
			mine, hers := p.at(test.mine), p.at(test.hers)
			x := new([64]byte)
			base := unsafe.Pointer(x)
			a := actors(t, 2)
			got := found(t, func() {
				a[0].do(func(*Frame) {
					m := mark(mine, unsafe.Add(base, test.at.offset), test.at.size)
					a[1].do(func(*Frame) {
						Look(hers, unsafe.Add(base, test.other.offset), test.other.size)
					})
					Clear(m)
				})
				// The windows are closed, nothing stays behind.
				a[1].do(func(*Frame) { Clear(mark(hers, unsafe.Add(base, test.other.offset), test.other.size)) })
			})
			if (len(got) == 1) != test.want || len(got) > 1 {
				t.Fatalf("got %v, want %v", got, test.want)
			}
			if test.want && (got[0].End.Location != mine || got[0].Foreign[0].Location != hers) {
				t.Errorf("wrong locations: %v", got[0])
			}
		})
	}
}

// The owner of the mark tells its goroutine and stack to who ran into it.
func TestRaceReportShowsBothSides(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	mine, hers := p.at(Write), p.at(Write)
	x := new(int)
	a := actors(t, 2)
	got := found(t, func() {
		a[0].do(func(*Frame) {
			m := mark(mine, unsafe.Pointer(x), unsafe.Sizeof(int(0)))
			a[1].start(func(*Frame) { Clear(mark(hers, unsafe.Pointer(x), unsafe.Sizeof(int(0)))) })
			for loadWord(&witnessed) == 0 && unreported(reportKey{end: mine, foreign: hers}) {
				runtime.Gosched()
			}
			Clear(m)
		})
		a[1].finished()
	})
	if len(got) != 1 {
		t.Fatal(got)
	}
	end := got[0].End
	if end.Goroutine == 0 || end.Goroutine == got[0].Foreign[0].Goroutine {
		t.Errorf("goroutines %d and %d", end.Goroutine, got[0].Foreign[0].Goroutine)
	}
	if stack := end.Stack(); len(stack) == 0 || !strings.Contains(stack[0].Function, "TestRaceReportShowsBothSides") {
		t.Errorf("stack %v", stack)
	}
}

// Location.Race in the section family takes part in the same detection.
func TestRaceInSectionFamily(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	mine, hers := p.at(Write), p.at(Read)
	mine.Race, hers.Race = true, true
	x := new(int)
	a := actors(t, 2)
	got := found(t, func() {
		a[0].do(func(f *Frame) {
			f.Before(mine, unsafe.Pointer(x), unsafe.Sizeof(int(0)))
			m := mark(mine, unsafe.Pointer(x), unsafe.Sizeof(int(0)))
			a[1].do(func(f *Frame) { Load(f, hers, x) })
			Clear(m)
			f.After(mine, unsafe.Pointer(x))
		})
		a[1].do(func(f *Frame) { Load(f, hers, x) })
	})
	if len(got) != 1 || got[0].Kind != DataRace {
		t.Errorf("got %v", got)
	}
}

// A mark names its bytes exactly: two that share a slot but no byte are two.
func TestMarksOfOneSlot(t *testing.T) {
	l := &Location{Mode: Write, Function: new(Function)}
	base, others := uintptr(0x7fff_0000), uintptr(1<<30>>(slotBits+granule))
	first := window(l, base, 8)
	for i := range others {
		m := window(l, base-i<<(slotBits+granule), 8)
		if m.slot != first.slot {
			t.Fatalf("%#x has another slot", base-i<<(slotBits+granule))
		}
		if collide(m.word, first.word) != (i == 0) {
			t.Fatalf("%#x and %#x: collide %v", base, base-i<<(slotBits+granule), i != 0)
		}
	}
}

// A reader leaves no mark, but noise keeps it before its access for a while,
// and then it has one. The writer is not kept: the reader could still find it
// when it looks once more, and tell of the same from its end.
func TestReaderUnderNoise(t *testing.T) {
	configured(t, "noise=location:1000/20ms noise_at=pool.go:1")
	p := newProgram(t)
	mine, hers := p.at(Read), p.at(Write)
	x := new(int)
	a := actors(t, 2)
	got := found(t, func() {
		a[0].start(func(*Frame) { Peek(mine, x) })
		for m := window(mine, uintptr(unsafe.Pointer(x)), unsafe.Sizeof(*x)); loadWord(m.slot) == 0; {
			runtime.Gosched()
		}
		a[1].do(func(*Frame) { Look(hers, unsafe.Pointer(x), unsafe.Sizeof(*x)) })
		a[0].finished()
	})
	if len(got) != 1 || got[0].End.Location != mine || got[0].Foreign[0].Location != hers {
		t.Errorf("got %v", got)
	}
	a[0].do(func(*Frame) { Peek(mine, x) })
}
