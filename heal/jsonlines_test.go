//go:build !atomrace_off

package heal

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// schemaPlace, schemaAccess and schemaLine are docs/reports.md as Go types.
type schemaPlace struct {
	Function, File string
	Line           int
	Goroutine      uint64
}

type schemaAccess struct {
	Role, Mode, File string
	Line, Column     int
	Function, Code   string
	Goroutine        uint64
	Times            int
	Several          bool
	Before, After    string
	Stack            []schemaPlace
	Created          *schemaPlace
}

type schemaLine struct {
	Time                                                    time.Time
	Level, Msg, Schema                                      string
	PID                                                     int
	Program, ID                                             string
	Count                                                   int
	Kind, Package, Variable, Type, Instance, Key            string
	Section, Pattern                                        string
	Allow                                                   []string
	Accesses                                                []schemaAccess
	More                                                    bool
	Doubt, Healing, Suggestion                              string
	Violations, Waits, Timeouts, Yields                     uint64
	Prevented, Escaped, Cycles, Breakers, Unhealed, Delayed *uint64
	Doubted                                                 *uint64
	Distinct                                                int
	Counts                                                  []struct {
		ID    string
		Count int
	}
}

// jsonLines decodes lines, none of which may have a member that is not documented.
func jsonLines(t *testing.T, text string) (all []schemaLine) {
	t.Helper()
	for line := range strings.Lines(text) {
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		var l schemaLine
		if err := d.Decode(&l); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, l)
	}
	return all
}

// Each distinct violation is one line: a report with two intruders makes two.
func TestJSONLines(t *testing.T) {
	for _, n := range []*uint64{&counters.prevented, &counters.escaped, &counters.cycles, &counters.breakers, &counters.unhealed, &counters.delayed} {
		counters.add(n) // what is 0 is left out
	}
	p := newProgram(t)
	s := p.section("S")
	entry, end, first, second := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write), p.at(ReadWrite)
	end.Column = 7
	a := actors(t, 2)
	start := time.Now()
	text := logged(t, "log_format=json", func() {
		x := new(int)
		a[0].visit(entry, x)
		a[1].visit(first, x)
		a[1].visit(second, x)
		a[1].visit(second, x)
		a[0].visit(end, x)
		for range 9 {
			violate(a, entry, end, first, x)
		}
		emit(settings(), summary(settings()))
		notify(settings(), "a \"remark\"")
	})
	lines := jsonLines(t, text)
	if len(lines) != 5 {
		t.Fatalf("%d lines:\n%s", len(lines), text)
	}
	for i, l := range lines[:2] {
		if l.Schema != "atomrace.violation/1" || l.Level != "WARN" || l.PID != os.Getpid() || l.Program != filepath.Base(os.Args[0]) ||
			l.Time.Before(start) || l.Kind != "atomicity violation" || l.Package != p.v.Package || l.Variable != "Pool.free" || l.Type != "int" ||
			!strings.HasPrefix(l.Instance, "0x") || l.Section != "S" || l.Pattern != "load-and-store" || fmt.Sprint(l.Allow) != "[read]" ||
			l.Healing != "off" || l.Count != 1 || len(l.Accesses) != 3 {
			t.Fatalf("line %d: %+v", i, l)
		}
		for j, want := range []string{"entry read 1", "foreign " + []string{"write 3", "read-write 4"}[i], "end write 2"} {
			x := l.Accesses[j]
			if got := fmt.Sprintf("%s %s %d", x.Role, x.Mode, x.Line); got != want {
				t.Errorf("access %q, want %q", got, want)
			}
			if x.File != "pool.go" || x.Function != "Pool.Get" || x.Code != "p.free" || x.Goroutine == 0 || x.Created == nil || x.Created.Line == 0 {
				t.Errorf("access %+v", x)
			}
		}
		if x := l.Accesses[1]; len(x.Stack) == 0 || x.Goroutine == l.Accesses[2].Goroutine || x.Times != []int{0, 2}[i] {
			t.Errorf("foreign access %+v", x)
		}
		if l.Accesses[2].Column != 7 {
			t.Errorf("end %+v", l.Accesses[2])
		}
	}
	if lines[0].ID == lines[1].ID || len(lines[0].ID) != 16 {
		t.Errorf("ids %q and %q", lines[0].ID, lines[1].ID)
	}
	if l := lines[2]; l.Schema != "atomrace.count/1" || l.ID != lines[0].ID || l.Count != 10 {
		t.Errorf("count %+v", l)
	}
	counted := map[string]int{}
	for _, c := range lines[3].Counts {
		counted[c.ID] = c.Count
	}
	if l := lines[3]; l.Schema != "atomrace.summary/1" || counted[lines[0].ID] != 10 || counted[lines[1].ID] != 1 || l.Violations < 10 ||
		l.Prevented == nil || l.Escaped == nil || l.Cycles == nil || l.Breakers == nil || l.Unhealed == nil || l.Delayed == nil {
		t.Errorf("summary %+v", l)
	}
	if l := lines[4]; l.Schema != "atomrace.notice/1" || l.Msg != `a "remark"` {
		t.Errorf("notice %+v", l)
	}
}

// A callback can hand a violation to encoding/json, and so to slog.
func TestMarshal(t *testing.T) {
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	configured(t, "")
	for _, x := range found(t, func() { violate(a, entry, end, other, new(int)) }) {
		text, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		if l := jsonLines(t, string(text)+"\n")[0]; l.ID != x.ID || l.ID == "" || l.Kind != AtomicityViolation || len(l.Accesses) != 3 {
			t.Errorf("%s", text)
		}
	}
}

// The same two locations make one violation with one id, whoever came first.
func TestFingerprint(t *testing.T) {
	p := newProgram(t)
	s := p.section("S")
	l, m, n := p.at(Read), p.at(Write), p.at(Write)
	same := [2]reportKey{{end: l, foreign: m}, {end: m, foreign: l}}
	if a, b := same[0].canonical().fingerprint(), same[1].canonical().fingerprint(); a != b {
		t.Errorf("%s and %s for the same race", a, b)
	}
	elsewhere := *l
	elsewhere.File = "/another/checkout/" + l.File
	if a, b := (reportKey{end: l, foreign: m}).fingerprint(), (reportKey{end: &elsewhere, foreign: m}).fingerprint(); a != b {
		t.Errorf("%s here and %s there", a, b)
	}
	seen := map[string]bool{}
	for _, k := range []reportKey{{end: l, foreign: m}, {end: l, foreign: n}, {s, l, m}, {s, m, n}, {p.section("T"), l, m}} {
		if id := k.fingerprint(); seen[id] {
			t.Errorf("%s twice", id)
		} else {
			seen[id] = true
		}
	}
}

// FuzzString compares with encoding/json.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a", "\"\\/\n\t\r\x00\x1f\x7f\u0085", "äöü…\u2028\u2029\ufeff", "\xff\xc3", "𝔘", string(rune(math.MaxInt16))} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		theirs, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		if err := json.Unmarshal(theirs, &want); err != nil {
			t.Fatal(err)
		}
		ours := appendString(nil, s)
		if err := json.Unmarshal(ours, &got); err != nil || got != want {
			t.Errorf("%q becomes %s, which reads %q (%v), want %q", s, ours, got, err, want)
		}
		if strings.ContainsAny(string(ours), "\n\r\u2028\u2029") {
			t.Errorf("%s is more than one line", ours)
		}
	})
}
