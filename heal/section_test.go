package heal

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"unicode"
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
			entry, end := p.at(Read, s), p.at(Write, End{s, test.allow})
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
	entry, end, other := p.at(Read, s), p.at(Write, End{s, Read}), p.at(Write)
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
	entry, end, other := p.at(Read, s), p.at(Write, End{s, Read}), q.at(Write)
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
	entry, end, other := p.at(Read, s), p.at(Write, End{s, Read}), q.at(Write)
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

// Everybody inside is monitored, also who came second: a value computed from a
// read that is stale by now is an update lost, whoever stores it.
func TestEverybodyInsideIsMonitored(t *testing.T) {
	for _, test := range []struct {
		name   string
		steps  string // who: upper case enters, lower case ends, w a third one writes
		broken string // whose sections are reported broken, in order
	}{
		{"one after the other", "AaBb", ""},
		{"the second is stale", "ABab", "b"},
		{"the first is stale", "ABba", "a"},
		{"a third one writes", "ABwab", "ab"},
		{"before the second", "AwBb", ""},
		{"before the second, the first reports", "AwBba", "a"},
		{"comes back", "ABaAba", "ba"},
		{"three", "ABCabc", "bc"},
	} {
		t.Run(test.name, func(t *testing.T) {
			configured(t, "")
			p := newProgram(t)
			s := p.section("S")
			entry, end, other := p.at(Read, s), p.at(Write, End{s, Read}), p.at(Write)
			x := new([1 << 17]int)
			frames := map[rune]*Frame{'a': {g: 1}, 'b': {g: 2}, 'c': {g: 3}, 'w': {g: 4}}
			broken := ""
			for _, step := range test.steps {
				who, l := unicode.ToLower(step), end
				switch {
				case step == 'w':
					l = other
				case who != step:
					l = entry
				}
				if got := found(t, func() { access1(frames[who], l, &x[0]) }); got != nil {
					broken += string(who)
				}
			}
			for _, f := range frames {
				f.End()
			}
			if broken != test.broken {
				t.Errorf("broken %q, want %q", broken, test.broken)
			}
			idle(t)
		})
	}
}

// Beyond maxMonitored goroutines nobody more is judged, but all are suspects;
// when one leaves, there is room again.
func TestMonitoredAreBounded(t *testing.T) {
	configured(t, "history=100")
	p := newProgram(t)
	s := p.section("S")
	entry, end := p.at(Read, s), p.at(Write, End{s, Read})
	x := new([1 << 17]int)
	var frames [maxMonitored + 1]Frame
	for i := range frames {
		frames[i].g = G(i + 1)
		access1(&frames[i], entry, &x[0])
	}
	if cells, _ := live(); cells != maxMonitored {
		t.Errorf("%d are monitored, want %d", cells, maxMonitored)
	}
	if got := found(t, func() {
		access1(&frames[0], end, &x[0]) // nobody came between
		access1(&frames[maxMonitored], end, &x[0])
	}); got != nil {
		t.Error(got)
	}
	access1(&frames[maxMonitored], entry, &x[0])
	got := found(t, func() {
		for i := 1; i < len(frames); i++ {
			access1(&frames[i], end, &x[0])
		}
	})
	if len(got) != maxMonitored {
		t.Fatalf("%d broken, want %d", len(got), maxMonitored)
	}
	if times := got[0].Foreign[0].Times; times != 2 || !got[0].Foreign[0].several {
		t.Errorf("the first was broken %d times, want twice, by two", times)
	}
	idle(t)
}

// The suspects of a section's time go with it, though its owner stays inside:
// they neither break the next section nor take the room of newer ones.
func TestSuspectsOfThePast(t *testing.T) {
	configured(t, "history=3")
	p := newProgram(t)
	s := p.section("S")
	s.Circular = true
	loop := p.at(Read, s, End{s, Read})
	x := new([1 << 17]int)
	again := p.at(Write)
	owner, others := Frame{g: 1}, [2]Frame{{g: 2}, {g: 3}}
	access1(&owner, loop, &x[0])
	for round := range 5 {
		var here []*Location
		for _, l := range []*Location{again, p.at(Write), p.at(Write)} {
			here = append(here, l)
			access1(&others[round%2], l, &x[0])
		}
		got := found(t, func() { access1(&owner, loop, &x[0]) })
		if len(got) != 1 || len(got[0].Foreign) != len(here) {
			t.Fatalf("round %d: %v", round, got)
		}
		for _, a := range got[0].Foreign {
			if !slices.Contains(here, a.Location) || a.Times != 1 || a.several {
				t.Errorf("round %d: broken by line %d, %d times", round, a.Location.Line, a.Times)
			}
		}
	}
	if got := found(t, func() { access1(&owner, loop, &x[0]) }); got != nil {
		t.Error(got)
	}
	owner.End()
	idle(t)
}

// Several end points have their own sets of allowed accesses.
func TestSeveralEnds(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, strict, mild, other := p.at(Read, s), p.at(Read, End{s, Read}), p.at(Write, End{s, ReadWrite}), p.at(Write)
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
			one, two, three := p.at(Read, s1), p.at(Read, End{s1, Read}, s2), p.at(Write, End{s2, Read})
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
	loop := p.at(Read, s, End{s, Read})
	leave := p.at(Write, End{s, ReadWrite})
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
	only, other := p.at(ReadWrite, s, End{s, 0}), p.at(Write)
	a := actors(t, 2)
	got := found(t, func() {
		x := new(int)
		a[0].visit(only, x)
		a[1].visit(other, x)
		a[0].visit(only, x)
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
	entry, end, other := p.at(Read, s), p.at(Write, End{s, Read}), p.at(Write)
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
	entry, end, other := p.at(Read, s), p.at(Write, End{s, Read}), p.at(Write)
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
	entry, end, other := p.at(Read, s), p.at(Write, End{s, Read}), p.at(Write)
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
	end2 := p.at(Read, End{s2, Read})
	third := p.at(Read, s3)
	end3 := p.at(Write, End{s3, Read})
	end1 := p.at(Write, End{s1, Read})
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
			entry, end, other := p.at(Read, s), p.at(Write, End{s, Read}), p.at(Write)
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
	entry, end, other := p.at(Read, s), p.at(Write, End{s, Write}), p.at(Read)
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
