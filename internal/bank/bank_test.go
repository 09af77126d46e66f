package bank

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every kind of ending is told from the others.
func TestOutcomes(t *testing.T) {
	p, binary := buildTiny(t)
	tests := []struct {
		mode      string
		outcome   Outcome
		detail    string // part of it
		reports   int
		races     int
		variables []string
	}{
		{mode: "right", outcome: OK, detail: "ok: 1 thing done"},
		{mode: "wrong", outcome: Wrong, detail: "WRONG: 2 things done"},
		{mode: "panic", outcome: Crash, detail: "exit status 2, without a verdict"},
		{mode: "silent", outcome: Crash, detail: "exit status 0, without a verdict"},
		{mode: "wrong with status 0", outcome: Crash, detail: `exit status 0, after "WRONG: 2 things done"`},
		{mode: "right with status 3", outcome: Crash, detail: `exit status 3, after "ok: 1 thing done"`},
		{mode: "right with reports", outcome: OK, detail: "ok:", reports: 4, variables: []string{"tiny.Pool.free", "tiny.count", "{tiny.a, tiny.b}"}},
		{mode: "raced", outcome: OK, detail: "ok:", races: 1},
	}
	for _, tt := range tests {
		got := measure(t, p, binary, 1, "MODE="+tt.mode)
		r, ok := got.First[tt.outcome]
		if !ok {
			t.Errorf("%s: outcomes %v, want %s", tt.mode, got.Outcomes, tt.outcome)
			continue
		}
		if !strings.Contains(r.Detail, tt.detail) {
			t.Errorf("%s: detail %q, want %q in it", tt.mode, r.Detail, tt.detail)
		}
		if r.Reports != tt.reports || r.Races != tt.races || !slices.Equal(r.Variables, tt.variables) {
			t.Errorf("%s: %d reports on %v and %d races, want %d on %v and %d",
				tt.mode, r.Reports, r.Variables, r.Races, tt.reports, tt.variables, tt.races)
		}
	}
}

// A program that hangs is stopped, and its stacks are kept.
func TestWatchdog(t *testing.T) {
	p, binary := buildTiny(t)
	got, err := Measure(t.Context(), p, binary, Options{Runs: 1, Timeout: 500 * time.Millisecond, Env: []string{"MODE=hang"}})
	if err != nil {
		t.Fatal(err)
	}
	if r := got.First[Timeout]; got.Outcomes[Timeout] != 1 || !strings.Contains(r.Stderr, "main.main()") {
		t.Errorf("outcomes %v, stacks %q", got.Outcomes, r.Stderr)
	}
}

func TestTally(t *testing.T) {
	p, binary := buildTiny(t)
	turn := filepath.Join(t.TempDir(), "turn")
	got, err := Measure(t.Context(), p, binary, Options{Runs: 6, Parallel: 1, Env: []string{"MODE=by turns", "TURN=" + turn}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Runs != 6 || got.Outcomes[OK] != 3 || got.Outcomes[Wrong] != 3 || got.Reported != 3 {
		t.Errorf("got %+v, want 3 of 6 wrong and reported", got)
	}
	if want := map[string]int{"tiny.turn": 3}; !maps.Equal(got.Named, want) {
		t.Errorf("named %v, want %v", got.Named, want)
	}
	many := measure(t, p, binary, 20, "MODE=right")
	if many.Outcomes[OK] != 20 || many.Mean() <= 0 {
		t.Errorf("in parallel: %v, mean %v", many.Outcomes, many.Mean())
	}
}

func TestMeasureErrors(t *testing.T) {
	p, binary := buildTiny(t)
	if _, err := Measure(t.Context(), p, binary+".gone", Options{Runs: 3}); err == nil || !strings.Contains(err.Error(), "fail/tiny: running ") {
		t.Errorf("a missing binary: %v", err)
	}
	if _, err := Measure(t.Context(), p, binary, Options{}); err == nil {
		t.Error("no runs: no error")
	}
	if _, err := Measure(canceled(), p, binary, Options{Runs: 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestBuilders(t *testing.T) {
	p, _ := buildTiny(t)
	out := filepath.Join(t.TempDir(), "out")
	broken := Program{Fail, "other", p.Root}
	if err := plain(t)(t.Context(), broken, out); err == nil ||
		!strings.Contains(err.Error(), "building fail/other: go build") || !strings.Contains(err.Error(), "undefined") {
		t.Errorf("a program that does not compile: %v", err)
	}
	if err := Command("no-such-tool", "{out}", "{package}")(t.Context(), p, out); err == nil ||
		!strings.Contains(err.Error(), "no-such-tool is not installed") {
		t.Errorf("a tool that is not there: %v", err)
	}
	for _, bad := range []string{"", "speedy", "go build {package}", "go build -o {out}"} {
		if _, err := ParseBuilder(bad); err == nil {
			t.Errorf("ParseBuilder(%q): no error", bad)
		}
	}
	for _, good := range []string{"plain", "race", "atomrace", "races", "tool -o {out} {package}"} {
		if _, err := ParseBuilder(good); err != nil {
			t.Error(err)
		}
	}
}

func TestSelect(t *testing.T) {
	p, _ := buildTiny(t)
	all, err := List(p.Root)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(all); got != "fail/other fail/tiny" {
		t.Fatalf("List: %s", got)
	}
	all = append(all, Program{Success, "tiny", p.Root})
	tests := []struct{ patterns, want string }{
		{"", "fail/other fail/tiny success/tiny"},
		{"tiny", "fail/tiny success/tiny"},
		{"success/tiny fail/tiny", "fail/tiny success/tiny"},
		{"fail", "fail/other fail/tiny"},
		{"*/t* o*", "fail/other fail/tiny success/tiny"},
	}
	for _, tt := range tests {
		got, err := Select(all, strings.Fields(tt.patterns))
		if err != nil || names(got) != tt.want {
			t.Errorf("Select(%q) = %s, %v, want %s", tt.patterns, names(got), err, tt.want)
		}
	}
	for _, bad := range []string{"nobody", "fail/[", "success/other"} {
		if _, err := Select(all, []string{bad}); err == nil {
			t.Errorf("Select(%q): no error", bad)
		}
	}
}

func TestTables(t *testing.T) {
	tallies := []Tally{
		{
			Program: Program{Kind: Fail, Name: "bank"}, Runs: 10, Reported: 9,
			Outcomes: map[Outcome]int{OK: 3, Wrong: 7},
			Named:    map[string]int{"main.b": 2, "main.account.balance": 9},
		},
		{Program: Program{Kind: Success, Name: "echo"}, Runs: 10, Outcomes: map[Outcome]int{OK: 10}},
	}
	var text, markdown bytes.Buffer
	if err := errors.Join(WriteText(&text, tallies), WriteMarkdown(&markdown, tallies)); err != nil {
		t.Fatal(err)
	}
	const wantText = `program       runs  reported  wrong  crash  timeout  variables
fail/bank     10    9         7      0      0        main.account.balance, main.b (2)
success/echo  10    0         0      0      0        –
`
	const wantMarkdown = `| program | runs | reported | wrong | crash | timeout | variables |
|---|---:|---:|---:|---:|---:|---|
| fail/bank | 10 | 9 | 7 | 0 | 0 | main.account.balance, main.b (2) |
| success/echo | 10 | 0 | 0 | 0 | 0 | – |
`
	if got := text.String(); got != wantText {
		t.Errorf("text:\n%s\nwant:\n%s", got, wantText)
	}
	if got := markdown.String(); got != wantMarkdown {
		t.Errorf("markdown:\n%s\nwant:\n%s", got, wantMarkdown)
	}
}

func TestRequirement(t *testing.T) {
	tally := Tally{Program: Program{Kind: Fail, Name: "bank"}, Runs: 200, Reported: 198, Outcomes: map[Outcome]int{OK: 199, Wrong: 1}}
	tests := []struct{ text, unmet string }{
		{"", ""},
		{"reported>=99%, wrong<=1, timeout<=0", ""},
		{"crash<=0,wrong<=0", "fail/bank: wrong<=0 was not met: 1 of 200 runs"},
		{"ok>=100%", "fail/bank: ok>=100% was not met: 199 of 200 runs"},
		{"ok>=100%,wrong<=0", "fail/bank: wrong<=0 was not met: 1 of 200 runs"}, // not the share
		{"raced>=1", "fail/bank: raced>=1 was not met: 0 of 200 runs"},
	}
	for _, tt := range tests {
		r, err := ParseRequirement(tt.text)
		if err != nil {
			t.Error(err)
			continue
		}
		got := ""
		if err := r.Check(tally); err != nil {
			got = err.Error()
		}
		if got != tt.unmet {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.unmet)
		}
	}
	for _, bad := range []string{"wrong", "wrong=0", "wrong<0", "lost<=0", "ok>=-1"} {
		if _, err := ParseRequirement(bad); err == nil {
			t.Errorf("ParseRequirement(%q): no error", bad)
		}
	}
}
