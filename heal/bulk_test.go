//go:build !atomrace_off

package heal

import (
	"testing"
	"unsafe"
)

// Hooks for many elements at once meet a foreign mark at their ends and at
// samples in between, and nowhere beyond.
func TestBulk(t *testing.T) {
	configured(t, "")
	list, other := make([]int, 100), make([]int, 100)
	for _, test := range []struct {
		name     string
		marked   int
		reads    func(from *Location)
		writes   func(to *Location)
		want     bool
		wantRead bool
	}{
		{"peek", 10, func(l *Location) { PeekSlice(l, list[10:20]) }, nil, false, true},
		{"peek, last", 19, func(l *Location) { PeekSlice(l, list[10:20]) }, nil, false, true},
		{"peek, before", 9, func(l *Location) { PeekSlice(l, list[10:20]) }, nil, false, false},
		{"peek, beyond", 20, func(l *Location) { PeekSlice(l, list[10:20]) }, nil, false, false},
		{"peek, none", 10, func(l *Location) { PeekSlice(l, list[10:10]) }, nil, false, false},
		{"copy from", 99, func(l *Location) { CopySlice(nil, nil, l, other, list) }, nil, false, true},
		{"copy from a part", 50, func(l *Location) { CopySlice(nil, nil, l, other[:50], list) }, nil, false, false},
		{"copy to", 99, nil, func(l *Location) { CopySlice(Self(), l, nil, list, other) }, true, false},
		{"copy to a part", 50, nil, func(l *Location) { CopySlice(Self(), l, nil, list, other[:50]) }, false, false},
		{"clear", 0, nil, func(l *Location) { ClearSlice(Self(), l, list) }, true, false},
		{"clear, last", 99, nil, func(l *Location) { ClearSlice(Self(), l, list) }, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProgram(t)
			mine, read, write := p.at(Write), p.at(Read), p.at(Write)
			a := actors(t, 2)
			access := func(*Frame) {
				if test.reads != nil {
					test.reads(read)
				} else {
					test.writes(write)
				}
			}
			got := found(t, func() {
				a[0].do(func(*Frame) {
					m := mark(mine, unsafe.Pointer(&list[test.marked]), unsafe.Sizeof(0))
					a[1].do(access)
					Clear(m)
				})
				a[1].do(access)
				// The windows of the access are closed.
				a[0].do(func(*Frame) { Clear(mark(mine, unsafe.Pointer(&list[test.marked]), unsafe.Sizeof(0))) })
			})
			if want := test.want || test.wantRead; (len(got) == 1) != want || len(got) > 1 {
				t.Errorf("got %v, want a report: %v", got, want)
			}
		})
	}
}

// In a list of up to samples cache lines every element counts, wherever the list begins.
func TestBulkShort(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	mine := p.at(Write)
	a := actors(t, 2)
	memory := make([]byte, 4096)
	for _, size := range []int{1, 20, 64, 200, samples<<granule - 63} {
		from := 64 + size%64
		for _, i := range []int{-1, 0, size / 3, size / 2, size - 1, size} {
			hers := p.at(Read)
			got := found(t, func() {
				a[0].do(func(*Frame) {
					m := mark(mine, unsafe.Pointer(&memory[from+i]), 1)
					a[1].do(func(*Frame) { PeekSlice(hers, memory[from:from+size]) })
					Clear(m)
				})
			})
			if inside := i >= 0 && i < size; (len(got) == 1) != inside || len(got) > 1 {
				t.Errorf("%d bytes, mark at %d: %d reports", size, i, len(got))
			}
		}
	}
}

// The marks of a write to many elements are met by those who read one.
func TestBulkMarks(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	mine, hers := p.at(Write), p.at(Read)
	list := make([]int, 64)
	a := actors(t, 2)
	for _, i := range []int{0, 63} {
		got := found(t, func() {
			a[0].do(func(*Frame) {
				s := spanOf(list)
				s.look(mine)
				var m marks
				s.mark(Self(), mine, &m)
				a[1].do(func(*Frame) { Peek(hers, &list[i]) })
				m.clear()
			})
			a[1].do(func(*Frame) { Peek(hers, &list[i]) })
		})
		if i == 0 && len(got) != 1 || len(got) > 1 {
			t.Errorf("element %d: %v", i, got)
		}
	}
}

func TestBulkResults(t *testing.T) {
	l := &Location{Var: &Variable{}, Mode: Write, Function: new(Function)}
	b := make([]byte, 4)
	if n := CopyString(Self(), l, b, "text and more"); n != 4 || string(b) != "text" {
		t.Error(n, string(b))
	}
	if n := CopySlice(Self(), l, l, b[1:], b); n != 3 || string(b) != "ttex" {
		t.Error(n, string(b))
	}
	if n := CopySlice(nil, nil, nil, b, b[3:]); n != 1 || string(PeekSlice(l, b)) != "xtex" {
		t.Error(n, string(b))
	}
	if ClearSlice(Self(), l, b); b[0] != 0 || b[3] != 0 {
		t.Error(b)
	}
}
