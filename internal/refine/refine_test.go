package refine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/report"
)

// spec has candidates a, b and c of two ends each, and a confirmed section d.
func spec() *atomicity.Spec {
	v := &atomicity.Variable{Name: "x"}
	for i, id := range []string{"a", "b", "c", "d"} {
		s := &atomicity.Section{
			ID: id, Pattern: atomicity.AccessInterleaving, Function: "F", Origin: "interleavings", Status: atomicity.Candidate,
			Entry: atomicity.Location{Access: atomicity.Read, Ordinal: 3*i + 1, Code: "n := x"},
		}
		for j := range 2 {
			s.Ends = append(s.Ends, atomicity.End{Location: atomicity.Location{Access: atomicity.Write, Ordinal: 3*i + 2 + j, Code: fmt.Sprint("x = ", j)}, Allow: atomicity.Read})
		}
		if id == "d" {
			s.Status = atomicity.Confirmed
		}
		v.Sections = append(v.Sections, s)
	}
	return &atomicity.Spec{Version: atomicity.Version, Packages: []*atomicity.Package{{Path: "p", Variables: []*atomicity.Variable{v}}}}
}

// add adds runs written "verdict broken-ends aim": ok or fail, a0b1 or -, and
// the section aimed at.
func add(r *Refinement, runs ...string) {
	for _, text := range runs {
		fields := append(strings.Fields(text), "")
		run := Run{Seed: r.NextSeed(), Correct: fields[0] == "ok", Aim: fields[2]}
		for broken := strings.TrimPrefix(fields[1], "-"); broken != ""; broken = broken[2:] {
			run.Broken = append(run.Broken, End{broken[:1], int(broken[1] - '0')})
		}
		r.Add(run)
	}
}

func TestHarmless(t *testing.T) {
	tests := []struct {
		name    string
		untried bool
		runs    []string
		aim     string // what is to be tried next
		want    string
	}{
		{"broken by nobody", false, []string{"ok -", "fail -"}, "", "[]"},
		{"broken in a correct run, not tried", false, []string{"ok a0"}, "a", "[]"},
		{"as the paper has it", true, []string{"ok a0", "fail a0", "fail a0"}, "", "[{a 0}]"},
		{"broken in failing runs alone", true, []string{"fail a0b1", "ok -"}, "", "[]"},
		{"tried without harm", false, []string{"ok a0", "ok a0 a", "ok a1 a", "ok a0 a"}, "", "[{a 0} {a 1}]"},
		{"tried with harm", false, []string{"ok a0", "fail a0 a", "fail a0 a", "ok a0 a"}, "", "[]"},
		{"failures for other reasons", false, []string{"ok a0", "fail a0b0 a", "ok a0 a", "ok a0 a"}, "b", "[{a 0}]"},
		{"broken in failing runs alone, and tried without harm", false, []string{"fail a0", "ok a0 a", "ok a0 a", "ok a0 a"}, "", "[{a 0}]"},
		{"broken in failing runs alone, and tried with harm", false, []string{"fail a0", "fail a0 a", "fail a0 a", "fail a0 a"}, "", "[]"},
		{"tried, but not broken by it", false, []string{"ok a0", "ok - a", "ok - a", "fail - a", "ok - a", "ok - a", "fail - a"}, "", "[{a 0}]"},
		{"runs aimed at others tell nothing", false, []string{"ok a0b0", "ok a0 b", "ok a0 b"}, "a", "[]"},
		{"those tried least come first", false, []string{"ok a0b0", "ok a0 a"}, "b", "[]"},
		{"confirmed and unknown ones do not matter", true, []string{"ok d0", "ok z0", "ok a7"}, "", "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(spec(), Options{Stable: 2, Untried: tt.untried})
			add(r, tt.runs...)
			if got := fmt.Sprint(r.Harmless()); got != tt.want || r.Aim() != tt.aim {
				t.Errorf("harmless %s, next %q; want %s, %q", got, r.Aim(), tt.want, tt.aim)
			}
		})
	}
}

// Sections of several statements are tried first. What is tried is not healed, nor
// what stands over the same variable; else what is one statement is, and what trials
// have shown to be meant, by its shortest sections.
func TestHealing(t *testing.T) {
	s := spec()
	section := func(v *atomicity.Variable, id, entry, end string) {
		v.Sections = append(v.Sections, &atomicity.Section{
			ID: id, Pattern: atomicity.LoadAndStore, Function: "F", Origin: "loadstore", Status: atomicity.Candidate,
			Entry: atomicity.Location{Access: atomicity.Read, Code: entry}, Ends: []atomicity.End{{Location: atomicity.Location{Access: atomicity.Write, Code: end}, Allow: atomicity.Read}},
		})
	}
	y, z := &atomicity.Variable{Name: "y"}, &atomicity.Variable{Name: "z"}
	section(y, "l", "n := y", "y = n")
	section(y, "s", "y++", "y++")
	section(z, "m", "n := z", "z = n")
	section(z, "u", "z++", "z++")
	s.Packages[0].Variables = append(s.Packages[0].Variables, y, z)
	r := New(s, Options{Stable: 1})
	state := func(aim string) string {
		lock, off := r.Healing(aim)
		return fmt.Sprintf("%s: lock %v off %v", r.Aim(), lock, off)
	}
	for _, step := range []struct {
		runs []string
		aim  string
		want string
	}{
		{nil, "", ": lock [] off []"},
		{[]string{"fail s0l0m0"}, "", "l: lock [] off []"},
		{nil, "l", "l: lock [u] off [l s]"},
		{nil, "m", "l: lock [s] off [m u]"},
		{[]string{"fail l0 l", "ok m0 m", "fail l0 l", "fail m0 m", "fail l0 l", "ok m0 m"}, "", "s: lock [l] off []"},
		{[]string{"fail s0 s", "fail s0 s", "ok s0 s"}, "", ": lock [s] off []"},
		{nil, "u", ": lock [s] off [m u]"},
		{nil, "a", ": lock [s u] off [a b c]"},
	} {
		add(r, step.runs...)
		if got := state(step.aim); got != step.want {
			t.Errorf("after %v, aimed at %q: %s, want %s", step.runs, step.aim, got, step.want)
		}
	}
	r = New(s, Options{Stable: 1, Untried: true})
	add(r, "fail s0")
	if got := state(""); got != ": lock [] off []" {
		t.Errorf("without trials: %s", got)
	}
}

// It has settled after enough correct runs without change; failing runs in
// between do not count.
func TestSettled(t *testing.T) {
	r := New(spec(), Options{Stable: 2, Untried: true})
	for i, step := range []struct {
		run  string
		runs int
		done bool
	}{{"ok -", 1, false}, {"ok a0", 0, false}, {"fail a0", 0, false}, {"ok a0", 1, false}, {"fail -", 1, false}, {"ok a0", 2, true}, {"ok b0", 0, false}} {
		add(r, step.run)
		if runs, done := r.Settled(); runs != step.runs || done != step.done {
			t.Errorf("step %d: %d runs, %v; want %d, %v", i+1, runs, done, step.runs, step.done)
		}
	}
}

func TestApply(t *testing.T) {
	s := spec()
	s.Section("b").Evidence = atomicity.Evidence{Runs: 10, Correct: 4, Broken: 2, Seed: 10}
	r := New(s, Options{Stable: 1, Untried: true, Unseen: []atomicity.Pattern{atomicity.AccessInterleaving}})
	if r.NextSeed() != 11 {
		t.Errorf("the next seed is %d", r.NextSeed())
	}
	s.Section("b").Evidence.Seed = math.MaxInt
	if n := New(s, Options{}).NextSeed(); n < 1 || n > LastSeed {
		t.Errorf("behind the largest seed of all comes %d", n)
	}
	s.Section("b").Evidence.Seed = 10
	add(r, "ok a0a1", "ok b1", "fail b0")
	r.Ran([]End{{"d", 0}})
	s.Section("a").Note = "asked Ann" // meanwhile
	var got []string
	for _, c := range r.Apply(s) {
		got = append(got, c.Section+" "+c.What+": "+c.Why)
	}
	want := []string{
		"a harmless: refine: broken in 0 of 1 runs that failed and 1 of 2 that were correct",
		"b narrowed: 1 of 2 ends allow everything now; broken in 3 of 7 runs that failed and 1 of 6 that were correct",
		"c unseen: refine: never executed in 3 runs, set aside",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	b := s.Section("b")
	if b.Ends[0].Allow != atomicity.Read || b.Ends[1].Allow != atomicity.ReadWrite || b.Evidence != (atomicity.Evidence{Runs: 13, Correct: 6, Broken: 4, Harmless: 1, Seed: 13}) {
		t.Errorf("b is %+v", b)
	}
	if a, d := s.Section("a"), s.Section("d"); a.Status != atomicity.Rejected || a.Note != "asked Ann" || d.Status != atomicity.Confirmed || d.Evidence.Runs != 0 {
		t.Errorf("a is %+v, d %+v", a, d)
	}
	if _, err := s.Bytes(); err != nil {
		t.Error(err)
	}
}

// A report names the end by its place, or else by its code if only one has it.
func TestBroken(t *testing.T) {
	s := spec().Section("a")
	p := &Places{sections: map[string]*located{"a": {section: s, entry: position{"p/x.go", 3, 5}, ends: []position{{"p/x.go", 7, 2}, {"p/x.go", 9, 2}}}}}
	end := func(line, column int, code string) []*report.Violation {
		return []*report.Violation{{Section: "a", Accesses: []report.Access{{Role: "entry", Mode: "read"}, {Role: "end", Mode: "write", Line: line, Column: column, Code: code}}}, {Section: "z"}}
	}
	for _, tt := range []struct {
		violations []*report.Violation
		want       string
	}{
		{end(9, 2, "x = 0"), "[{a 1}]"},
		{end(8, 2, "x = 0"), "[{a 0}]"},
		{end(8, 2, "x = 5"), "[]"},
		{append(end(7, 2, ""), end(7, 2, "")...), "[{a 0}]"},
	} {
		if got := fmt.Sprint(p.Broken(tt.violations)); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	for profile, want := range map[string]string{
		"mode: set\np/x.go:3.1,8.2 2 1\np/x.go:8.3,10.2 1 0\n": "[{a 0}]",
		"mode: set\np/x.go:3.1,3.4 2 1\np/x.go:5.1,10.2 1 4\n": "[]",
		"mode: set\nq/x.go:3.1,10.2 2 1\n":                     "[]",
	} {
		if got, err := p.Ran(strings.NewReader(profile)); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: got %v, %v, want %s", profile, got, err, want)
		}
	}
	if _, err := p.Ran(strings.NewReader("mode: set\nx\n")); err == nil {
		t.Error("a broken profile is believed")
	}
	if p.Entry("a") != "x.go:3" || p.Entry("z") != "" {
		t.Errorf("entries %q, %q", p.Entry("a"), p.Entry("z"))
	}
}
