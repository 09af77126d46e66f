//go:build !atomrace_off

package heal

import (
	"slices"
	"testing"
	"unicode"
)

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
			entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
			x := new([1 << 17]int)
			a, b, c, w := frameOf(1), frameOf(2), frameOf(3), frameOf(4)
			frames := map[rune]*Frame{'a': &a, 'b': &b, 'c': &c, 'w': &w}
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
	entry, end := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	x := new([1 << 17]int)
	var frames [maxMonitored + 1]Frame
	for i := range frames {
		frames[i] = frameOf(G(i + 1))
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
	loop := p.at(Read, s, End{Section: s, Allow: Read})
	x := new([1 << 17]int)
	again := p.at(Write)
	owner, others := frameOf(1), [2]Frame{frameOf(2), frameOf(3)}
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
