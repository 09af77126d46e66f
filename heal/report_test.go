//go:build !atomrace_off

package heal

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// logged runs do with reports going to a file, and returns what was written.
func logged(t *testing.T, settings string, do func()) string {
	t.Helper()
	stem := filepath.Join(t.TempDir(), "log")
	configured(t, settings+" log_path="+stem)
	do()
	files, _ := filepath.Glob(stem + ".*")
	if len(files) == 0 {
		return ""
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// violate breaks section s once.
func violate(a []*actor, entry, end, other *Location, x *int) {
	a[0].visit(entry, x)
	a[1].visit(other, x)
	a[0].visit(end, x)
}

func TestReportText(t *testing.T) {
	p := newProgram(t)
	s := p.section("(*Pool).Get/Pool.free#1")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	text := logged(t, "", func() { violate(a, entry, end, other, new(int)) })
	pattern := `^==================
WARNING: ATOMRACE: atomicity violation on Pool\.free of package example\.com/TestReportText, type int, at 0x[0-9a-f]+
Section \(\*Pool\)\.Get/Pool\.free#1 \(load-and-store\) of goroutine \d+
  began with read at pool\.go:1 in Pool\.Get: p\.free
  ended with write at pool\.go:2 in Pool\.Get: p\.free, where it allows \{read\}
    \S+heal\.access1\(\)
        \S+actors_test\.go:\d+
(?s:.*)broken by write of goroutine \d+ at pool\.go:3 in Pool\.Get: p\.free
    \S+heal\.access1\(\)
(?s:.*)goroutine \d+ was started at \S*sync/waitgroup.go:\d+ in sync\.\(\*WaitGroup\)\.Go
goroutine \d+ was started at .*
healing: off
to keep watching it, among the packages of atomicity.yaml:
  - package: example.com/TestReportText
    variables:
      - variable: Pool.free
        type: int
        sections:
          - id: \(\*Pool\)\.Get/Pool\.free#1
            pattern: load-and-store
            function: Pool\.Get
            entry: {access: read, code: "p\.free", line: 1}
            ends:
              - {access: write, code: "p\.free", line: 2, allow: \[read\]}
            origin: user
            status: confirmed
==================
$`
	if !regexp.MustCompile(pattern).MatchString(text) {
		t.Errorf("report reads\n%s", text)
	}
	if strings.Contains(text, "section.go") || strings.Contains(text, "hooks.go") {
		t.Errorf("report shows heal's own frames\n%s", text)
	}
}

// A location is shown once, however often and by whomever it broke in, and not
// again in the next report of the section. Those beyond history are owned up to.
func TestReportIsShort(t *testing.T) {
	p := newProgram(t)
	s := p.section("S")
	entry, end := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	others := []*Location{p.at(Write), p.at(ReadWrite), p.at(Write), p.at(Write)}
	a := actors(t, 3)
	x := new(int)
	text := logged(t, "history=3", func() {
		a[0].visit(entry, x)
		for range 5 {
			a[1].visit(others[0], x)
		}
		a[2].visit(others[0], x)
		a[1].visit(others[1], x)
		a[1].visit(others[1], x)
		a[0].visit(end, x)
		a[0].visit(entry, x)
		for _, l := range others {
			a[1].visit(l, x)
		}
		a[0].visit(end, x)
	})
	for want, n := range map[string]int{
		"WARNING: ATOMRACE": 2,
		"broken by":         3,
		"at pool.go:3 in Pool.Get: p.free (6 times, by others, too)\n": 1,
		"at pool.go:4 in Pool.Get: p.free (2 times)\n":                 1,
		"at pool.go:5 in Pool.Get: p.free\n":                           1,
		"and at further locations, beyond history\n":                   1,
		"to keep watching it":                                          1,
	} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%q %d times, want %d, in\n%s", want, got, n, text)
		}
	}
}

// Files of the standard library are named as seen from $GOROOT.
func TestShorten(t *testing.T) {
	defer func(g string) { goroot = g }(goroot)
	goroot = "/cache/goroot/0123"
	for file, want := range map[string]string{
		"/cache/goroot/0123/src/sync/waitgroup.go": "$GOROOT/src/sync/waitgroup.go",
		"/cache/goroot/0123456/src/sync/x.go":      "/cache/goroot/0123456/src/sync/x.go",
		"/home/me/src/sync/waitgroup.go":           "/home/me/src/sync/waitgroup.go",
		"sync/waitgroup.go":                        "sync/waitgroup.go",
	} {
		if got := shorten(file); got != want {
			t.Errorf("%s becomes %s, want %s", file, got, want)
		}
	}
	goroot = "" // -trimpath
	if got := shorten("/src/sync/waitgroup.go"); got != "/src/sync/waitgroup.go" {
		t.Errorf("without a GOROOT: %s", got)
	}
}

// The stack of a goroutine started by the standard library ends in a file of it.
func TestGorootIsFound(t *testing.T) {
	var stack []uintptr
	var all sync.WaitGroup
	all.Go(func() { stack = callers() })
	all.Wait()
	var b strings.Builder
	Access{stack: stack}.frames(&b)
	if !strings.Contains(b.String(), " $GOROOT/src/sync/waitgroup.go:") && goroot != "" ||
		!strings.Contains(b.String(), "sync/waitgroup.go:") {
		t.Errorf("goroot %q, frames\n%s", goroot, b.String())
	}
}

// The summary has a line in total for what there was, and none for nothing.
func TestTotal(t *testing.T) {
	for want, s := range map[string]Statistics{
		"":                           {},
		"3 violation(s), 2 distinct": {Violations: 3, Distinct: 2},
		"1 violation(s), 2 distinct ways to break it":                      {Violations: 1, Distinct: 2},
		"backed off 7 times":                                               {Yields: 7},
		"backed off 1 times; healing held goroutines up for 1.24ms in all": {Yields: 1, Delayed: 1236 * time.Microsecond},
		"waited for a healing lock 4 times":                                {Waits: 4},
		"3 violation(s), 2 distinct; waited for a healing lock 5 times; gave up on one 1 times": {
			Violations: 3, Distinct: 2, Waits: 5, Timeouts: 1},
	} {
		if got := s.total(); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// Only the first of a kind is printed; then come counts.
func TestDeduplication(t *testing.T) {
	p := newProgram(t)
	s := p.section("S")
	entry, end, other, another := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write), p.at(Write)
	a := actors(t, 2)
	before := Stats()
	text := logged(t, "", func() {
		x := new(int)
		for range 100 {
			violate(a, entry, end, other, x)
		}
		violate(a, entry, end, another, x)
	})
	for want, n := range map[string]int{
		"WARNING: ATOMRACE": 2,
		"atomrace: seen 10 times: atomicity violation on Pool.free: section S, pool.go:1 to pool.go:2, broken by write at pool.go:3\n": 1,
		"atomrace: seen 100 times:": 1,
	} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%q %d times, want %d, in\n%s", want, got, n, text)
		}
	}
	after := Stats()
	if after.Violations-before.Violations != 101 || after.Distinct-before.Distinct != 2 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	lines := summary(settings())
	if !strings.Contains(lines, "atomrace: 100 x atomicity violation on Pool.free: section S, pool.go:1") {
		t.Errorf("summary\n%s", lines)
	}
}

// A callback that panics, or that runs into a violation itself, hurts nobody.
func TestCallback(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 3)
	defer OnViolation(nil)
	calls := 0
	x := new(int)
	OnViolation(func(v Violation) {
		calls++
		if strings.Count(v.String(), "WARNING") != 1 {
			t.Error("a violation does not print")
		}
		f := Begin()
		defer f.End()
		access1(&f, entry, x)
		a[2].visit(other, x)
		access1(&f, end, x)
		panic("on purpose")
	})
	violate(a, entry, end, other, new(int))
	violate(a, entry, end, other, new(int))
	if calls != 2 {
		t.Errorf("called %d times, want 2", calls)
	}
	idle(t)
}

// keyText runs no method of a key.
type loudKey struct{ n int }

func (loudKey) String() string { panic("must not be called") }

func TestKeyText(t *testing.T) {
	type name string
	for key, want := range map[any]string{
		"a": `"a"`, name("b"): `"b"`, 7: "7", uint8(8): "8", true: "true", 1.5: "1.5",
		loudKey{1}:              "of type heal.loudKey",
		strings.Repeat("x", 99): `"` + strings.Repeat("x", 64) + `…"`,
	} {
		if got := keyText(key); got != want {
			t.Errorf("keyText(%T) = %s, want %s", key, got, want)
		}
	}
}

type watched struct {
	failed  []string
	cleanup func()
	waiting func()
}

func (w *watched) Helper()                           {}
func (w *watched) Cleanup(f func())                  { w.cleanup = f }
func (w *watched) Parallel()                         { w.waiting() }
func (w *watched) Name() string                      { return "TestOfTheProgram" }
func (w *watched) Errorf(format string, args ...any) { w.failed = append(w.failed, format) }

func TestWatch(t *testing.T) {
	for _, test := range []struct {
		settings string
		violate  bool
		fails    bool
	}{{"exitcode=66", true, true}, {"exitcode=66", false, false}, {"", true, false}} {
		configured(t, test.settings)
		p := newProgram(t)
		s := p.section("S")
		entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
		a := actors(t, 2)
		w := new(watched)
		Watch(w)
		w.waiting = func() { violate(a, entry, end, other, new(int)) } // some other test does
		Parallel(w)
		if test.violate {
			violate(a, entry, end, other, new(int))
		}
		w.cleanup()
		if fails := len(w.failed) > 0; fails != test.fails {
			t.Errorf("%+v: failed = %v", test, fails)
		}
	}
}
