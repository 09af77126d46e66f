//go:build !atomrace_off

package heal

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// More than the rate allows is printed when it is seen again in quieter times, or
// at the end; nothing is lost or printed twice.
func TestReportRate(t *testing.T) {
	withheld() // what other tests have left
	p := newProgram(t)
	s := p.section("S")
	entry, end := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	a := actors(t, 2)
	x := new(int)
	for _, format := range []string{"text", "json"} {
		var others []*Location
		for range 6 {
			others = append(others, p.at(Write))
		}
		text := logged(t, "report_rate=2 log_format="+format, func() {
			reports.pace = pace{}
			frozen := time.Now().Add(time.Hour)
			reports.pace.allows(2, frozen)
			reports.pace.left = 2 // nothing is added for an hour
			for range 3 {
				for _, o := range others {
					violate(a, entry, end, o, x)
				}
			}
			reports.pace.left = 1
			violate(a, entry, end, others[4], x)
			c := *settings()
			c.summary = false
			c.enforce()
			summarise()
			summarise()
		})
		reports.pace = pace{}
		first := map[string]string{"text": "WARNING: ATOMRACE", "json": "atomrace.violation/1"}[format]
		if n := strings.Count(text, first); n != len(others) {
			t.Errorf("%s: %d reports, want %d, in\n%s", format, n, len(others), text)
		}
		for _, o := range others {
			want := "broken by write at " + o.position()
			if format == "text" {
				want = "at " + o.position() + " in"
			}
			if n := strings.Count(text, want); n != 1 {
				t.Errorf("%s: %q %d times in\n%s", format, want, n, text)
			}
		}
	}
}

func TestPace(t *testing.T) {
	var p pace
	now := time.Now()
	for i, step := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {0, true}, {0, false}, {400 * time.Millisecond, false}, {100 * time.Millisecond, true}, {0, false},
		{-time.Hour, false}, {time.Hour, true}, {0, true}, {0, false}} {
		now = now.Add(step.after)
		if got := p.allows(2, now); got != step.want {
			t.Errorf("step %d: %v", i, got)
		}
	}
	for range 1000 {
		if !p.allows(0, now) {
			t.Fatal("no limit is one")
		}
	}
}

// BenchmarkRepeated is what a violation costs that has been reported before:
// it is only counted.
func BenchmarkRepeated(b *testing.B) {
	before := settings()
	c := defaults()
	c.log, c.rate = filepath.Join(b.TempDir(), "log"), 0
	c.enforce()
	b.Cleanup(before.enforce)
	v := &Variable{Package: "main", Name: "x"}
	first, second := &Location{Var: v, Mode: Write, Function: &Function{File: "a.go"}, Line: 1}, &Location{Var: v, Mode: Write, Function: &Function{File: "a.go"}, Line: 2}
	b.ReportAllocs()
	for b.Loop() {
		reportRace(first, second, 1, Access{})
	}
}

// What waits to be printed is bounded; the rest is counted all the same.
func TestHeldAreFew(t *testing.T) {
	configured(t, "report_rate=1")
	withheld()
	defer func() { reports.pace = pace{} }()
	reports.pace = pace{last: time.Now().Add(time.Hour)}
	before := Stats().Distinct
	v := &Variable{Package: "example.com/" + t.Name(), Name: "x"}
	const n = maxHeld + 5
	for i := range n {
		reportRace(&Location{Var: v, Mode: Write, Function: &Function{File: "a.go"}, Line: int32(i)}, &Location{Var: v, Mode: Write, Function: &Function{File: "b.go"}, Line: int32(i)}, 1, Access{})
	}
	if all, _ := withheld(); len(all) != maxHeld {
		t.Errorf("%d are held", len(all))
	}
	if got := Stats().Distinct - before; got != n {
		t.Errorf("%d distinct violations", got)
	}
	if all, _ := withheld(); len(all) != 0 {
		t.Errorf("%d are held twice", len(all))
	}
}
