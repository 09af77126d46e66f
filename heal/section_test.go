//go:build !atomrace_off

package heal

import (
	"fmt"
	"runtime"
	"testing"
)

// Each situation of papers/001 Figure 3, in the order of its lines: goroutine
// A is monitored, goroutine B accesses the variable in between.
func TestFigure3(t *testing.T) {
	for _, test := range []struct {
		name    string
		allow   Mode
		foreign []Mode
		broken  bool
	}{
		{"nobody came", 0, nil, false},
		{"read, allowed", Read, []Mode{Read}, false},
		{"write, only reads allowed", Read, []Mode{Write}, true},
		{"read, nothing allowed", 0, []Mode{Read}, true},
		{"write, nothing allowed", 0, []Mode{Write}, true},
		{"read, only writes allowed", Write, []Mode{Read}, true},
		{"write, only writes allowed", Write, []Mode{Write}, false},
		{"read-modify-write, only reads allowed", Read, []Mode{ReadWrite}, true},
		{"all, all allowed", ReadWrite, []Mode{Read, Write, ReadWrite}, false},
		{"a write among many reads", Read, []Mode{Read, Read, Read, Read, Read, Read, Read, Read, Read, Read, Write}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			configured(t, "")
			p := newProgram(t)
			s := p.section("S")
			entry, end := p.at(Read, s), p.at(Write, End{Section: s, Allow: test.allow})
			var others []*Location
			for _, m := range test.foreign {
				others = append(others, p.at(m))
			}
			a := actors(t, 2)
			got := found(t, func() {
				x := new(int)
				a[0].visit(entry, x)
				for _, l := range others {
					a[1].visit(l, x)
				}
				a[0].visit(end, x)
				// The section is over: what follows is nobody's business.
				for _, l := range others {
					a[1].visit(l, x)
				}
				a[0].visit(end, x)
			})
			if broken := len(got) > 0; broken != test.broken || len(got) > 1 {
				t.Fatalf("got %v, want broken = %v", got, test.broken)
			}
			idle(t)
		})
	}
}

func TestAnotherInstanceIsAnotherVariable(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	if got := found(t, func() {
		x := new([2]int)
		a[0].visit(entry, &x[0])
		a[1].visit(other, &x[1])
		a[0].visit(end, &x[0])
	}); got != nil {
		t.Error(got)
	}
}

// A struct and its first field have one address and are two variables.
func TestSameAddressAnotherVariable(t *testing.T) {
	configured(t, "")
	p, q := newProgram(t), newProgram(t)
	q.v.Name = "Pool"
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), q.at(Write)
	a := actors(t, 2)
	if got := found(t, func() {
		x := new(int)
		a[0].visit(entry, x)
		a[1].visit(other, x)
		a[0].visit(end, x)
	}); got != nil {
		t.Error(got)
	}
}

// One variable named in two packages' tables is one variable.
func TestTwoTablesOneVariable(t *testing.T) {
	configured(t, "")
	p, q := newProgram(t), newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), q.at(Write)
	a := actors(t, 2)
	if got := found(t, func() {
		x := new(int)
		a[0].visit(entry, x)
		a[1].visit(other, x)
		a[0].visit(end, x)
	}); len(got) != 1 {
		t.Error(got)
	}
}

// Several end points have their own sets of allowed accesses.
func TestSeveralEnds(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, strict, mild, other := p.at(Read, s), p.at(Read, End{Section: s, Allow: Read}), p.at(Write, End{Section: s, Allow: ReadWrite}), p.at(Write)
	for _, test := range []struct {
		end  *Location
		want int
	}{{strict, 1}, {mild, 0}} {
		a := actors(t, 2)
		if got := found(t, func() {
			x := new(int)
			a[0].visit(entry, x)
			a[1].visit(other, x)
			a[0].visit(test.end, x)
		}); len(got) != test.want {
			t.Errorf("end at line %d: %v", test.end.Line, got)
		}
	}
}

// The end of one section is the entry of the next, which begins at its
// before: a foreigner who came earlier breaks the first alone, and the other
// way round.
func TestOverlap(t *testing.T) {
	for _, test := range []struct {
		early, late bool
		want        string
	}{{true, false, "S1"}, {false, true, "S2"}, {true, true, "S1 S2"}, {false, false, ""}} {
		t.Run(fmt.Sprint(test.early, test.late), func(t *testing.T) {
			configured(t, "")
			p := newProgram(t)
			s1, s2 := p.section("S1"), p.section("S2")
			one, two, three := p.at(Read, s1), p.at(Read, End{Section: s1, Allow: Read}, s2), p.at(Write, End{Section: s2, Allow: Read})
			other := p.at(Write)
			a := actors(t, 2)
			got := found(t, func() {
				x := new(int)
				a[0].visit(one, x)
				if test.early {
					a[1].visit(other, x)
				}
				a[0].visit(two, x)
				if test.late {
					a[1].visit(other, x)
				}
				a[0].visit(three, x)
			})
			if sections(got) != test.want {
				t.Errorf("got %q, want %q", sections(got), test.want)
			}
			idle(t)
		})
	}
}

// A circular section ends at the second visit, where the next round begins.
func TestCircular(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	s.Circular = true
	loop := p.at(Read, s, End{Section: s, Allow: Read})
	leave := p.at(Write, End{Section: s, Allow: ReadWrite})
	other := p.at(Write)
	a := actors(t, 2)
	got := found(t, func() {
		x := new(int)
		a[0].visit(loop, x)
		a[0].visit(loop, x) // undisturbed
		a[1].visit(other, x)
		a[0].visit(loop, x) // broken
		a[0].visit(loop, x) // undisturbed again
		a[0].visit(leave, x)
	})
	if sections(got) != "S" {
		t.Errorf("got %q, want one violation", sections(got))
	}
	idle(t)
}

// A section whose only access is entry and end at once spans that access.
func TestEntryIsEnd(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	only, other := p.at(ReadWrite, s, End{Section: s, Allow: 0}), p.at(Write)
	a := actors(t, 2)
	got := found(t, func() {
		x := new(int)
		for range 3 {
			a[0].visit(only, x)
			a[1].visit(other, x)
		}
	})
	if got != nil {
		t.Error(got)
	}
	idle(t)
}

// Recursion: the section ends when it has been left as often as entered.
func TestRecursion(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	x := new(int)
	a := actors(t, 2)
	var recur func(f *Frame, depth int)
	recur = func(f *Frame, depth int) {
		access1(f, entry, x)
		if depth > 0 {
			inner := Begin()
			defer inner.End()
			recur(&inner, depth-1)
		}
		if depth == 2 {
			a[1].visit(other, x)
		}
		access1(f, end, x)
	}
	got := found(t, func() { a[0].do(func(f *Frame) { recur(f, 2) }) })
	if sections(got) != "S" {
		t.Errorf("got %q, want one violation, at the outermost end", sections(got))
	}
	idle(t)
}

// An inner activation that does not reach an end gives its count back.
func TestRecursionLeftEarly(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	x := new(int)
	a := actors(t, 2)
	got := found(t, func() {
		a[0].visit(entry, x)
		a[0].do(func(*Frame) {
			inner := Begin()
			defer inner.End()
			access1(&inner, entry, x)
		})
		a[1].visit(other, x)
		a[0].visit(end, x)
	})
	if sections(got) != "S" {
		t.Errorf("got %q", sections(got))
	}
	idle(t)
}

// The same activation at its entry again began anew: a loop that came round
// without an end point must not join two critical sections into one.
func TestLoopRestarts(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	got := found(t, func() {
		x := new(int)
		a[0].visit(entry, x)
		a[1].visit(other, x)
		a[0].visit(entry, x)
		a[0].visit(end, x)
	})
	if got != nil {
		t.Error(got)
	}
	idle(t)
}

// Two sections with one entry, and one nested in another, are judged apart.
func TestSideBySide(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s1, s2, s3 := p.section("S1"), p.section("S2"), p.section("S3")
	both := p.at(Read, s1, s2)
	end2 := p.at(Read, End{Section: s2, Allow: Read})
	third := p.at(Read, s3)
	end3 := p.at(Write, End{Section: s3, Allow: Read})
	end1 := p.at(Write, End{Section: s1, Allow: Read})
	other := p.at(Write)
	a := actors(t, 2)
	got := found(t, func() {
		x := new(int)
		a[0].visit(both, x)
		a[0].visit(end2, x)
		a[1].visit(other, x)
		a[0].visit(third, x)
		a[0].visit(end3, x)
		a[0].visit(end1, x)
	})
	if sections(got) != "S1" {
		t.Errorf("got %q, want S1 alone", sections(got))
	}
	idle(t)
}

// What happened at one location is one suspect, and yet each of the sections
// that lie side by side is judged by its own time.
func TestSideBySideOneIntruder(t *testing.T) {
	for _, test := range []struct{ steps, want string }{{"1w2", "S1"}, {"12w", "S2 S1"}, {"1w2w", "S2 S1"}, {"w12", ""}} {
		configured(t, "")
		p := newProgram(t)
		s1, s2 := p.section("S1"), p.section("S2")
		one, two, end2, end1 := p.at(Read, s1), p.at(Read, s2), p.at(Write, End{Section: s2, Allow: Read}), p.at(Write, End{Section: s1, Allow: Read})
		other := p.at(Write)
		a := actors(t, 2)
		x := new(int)
		got := found(t, func() {
			for _, step := range test.steps {
				switch step {
				case '1':
					a[0].visit(one, x)
				case '2':
					a[0].visit(two, x)
				case 'w':
					a[1].visit(other, x)
				}
			}
			a[0].visit(end2, x)
			a[0].visit(end1, x)
		})
		if sections(got) != test.want {
			t.Errorf("%s: got %q, want %q", test.steps, sections(got), test.want)
		}
		idle(t)
	}
}

// atomExit, explicit or by the end of the activation, leaves nothing behind
// and reports nothing, however the activation ends.
func TestExits(t *testing.T) {
	for name, leave := range map[string]func(f *Frame, s *Section){
		"return": func(*Frame, *Section) {},
		"exit":   func(f *Frame, s *Section) { f.Exit(s) },
		"panic":  func(*Frame, *Section) { panic("on purpose") },
		"goexit": func(*Frame, *Section) { runtime.Goexit() },
	} {
		t.Run(name, func(t *testing.T) {
			configured(t, "heal=lock")
			p := newProgram(t)
			s := p.section("S")
			entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
			x := new(int)
			got := found(t, func() {
				done := make(chan struct{})
				go func() {
					defer close(done)
					defer func() { recover() }()
					f := Begin()
					defer f.End()
					access1(&f, entry, x)
					leave(&f, s)
				}()
				<-done
				a := actors(t, 1)
				a[0].visit(other, x)
				a[0].visit(end, x)
			})
			if got != nil {
				t.Error(got)
			}
			idle(t)
		})
	}
}

// The suspects are bounded, and keep one of each mode.
func TestHistoryIsBounded(t *testing.T) {
	configured(t, "history=4")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Write}), p.at(Read)
	a := actors(t, 1)
	got := found(t, func() {
		x := new(int)
		a[0].visit(entry, x)
		for range 20 {
			l := p.at(Write)
			b := actors(t, 1)
			b[0].visit(l, x)
		}
		b := actors(t, 1)
		b[0].visit(other, x)
		a[0].visit(end, x)
	})
	if len(got) != 1 || len(got[0].Foreign) != 1 || got[0].Foreign[0].Location != other {
		t.Errorf("got %v", got)
	}
}
