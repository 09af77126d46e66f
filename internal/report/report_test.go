package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

// broken is a violation as heal writes it.
func broken(id string, pid, count int) Violation {
	return Violation{
		Time: start, Level: "WARN", Msg: "atomicity violation on Pool.free", Schema: "atomrace.violation/1", PID: pid, Program: "server",
		ID: id, Count: count, Kind: "atomicity violation", Package: "example.com/pool", Variable: "Pool.free", Type: "[]*Conn",
		Instance: "0xc000", Section: "(*Pool).Get/Pool.free#1", Pattern: "load-and-store", Allow: []string{"read"},
		Accesses: []Access{
			{Role: "entry", Mode: "read", File: "pool.go", Line: 5, Column: 7, Function: "(*Pool).Get", Code: "n := len(p.free)", Goroutine: 7},
			{Role: "foreign", Mode: "write", File: "pool.go", Line: 20, Function: "(*Pool).Put", Code: "p.free = nil", Goroutine: 9, Times: 2,
				Stack:   []Place{{Function: "pool.(*Pool).Put", File: "pool.go", Line: 20}},
				Created: &Place{Function: "main.main", File: "main.go", Line: 3, Goroutine: 1}},
			{Role: "end", Mode: "write", File: "pool.go", Line: 9, Function: "(*Pool).Get", Code: "p.free = p.free[:n-1]", Goroutine: 7},
		},
		Healing: "off",
		Suggestion: `- package: example.com/pool
  variables:
    - variable: Pool.free
      type: "[]*Conn"
      sections:
        - id: (*Pool).Get/Pool.free#1
          pattern: load-and-store
          function: (*Pool).Get
          entry: {access: read, code: "n := len(p.free)", ordinal: 1, line: 5}
          ends:
            - {access: write, code: "p.free = p.free[:n-1]", ordinal: 4, line: 9, allow: [read]}
          origin: user
          status: confirmed
`,
	}
}

// raced is a data race.
func raced(id string) Violation {
	v := broken(id, 1, 1)
	v.Kind, v.Section, v.Pattern, v.Allow, v.Variable = "data race", "", "", nil, "hits"
	v.Accesses = v.Accesses[:2]
	v.Accesses[0].Role, v.Accesses[1].Role = "first", "second"
	v.Suggestion = "- package: example.com/pool\n  variables:\n    - variable: hits\n      sections: []\n"
	return v
}

func lineOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// read makes a finished log of the texts, one a file.
func read(texts ...string) *Log {
	l := new(Log)
	for i, text := range texts {
		l.Read(fmt.Sprintf("log.%d", i+1), strings.NewReader(text))
	}
	l.Finish()
	return l
}

// What cannot be used is one clear line with its place; the rest is there.
func TestProblems(t *testing.T) {
	good := lineOf(t, broken("a", 1, 3))
	newer := strings.Replace(lineOf(t, broken("b", 1, 1)), "violation/1", "violation/2", 1)
	bare := broken("b", 1, 1)
	bare.Accesses = nil
	const foreign = `{"time":"2026-05-04T03:02:01Z","level":"INFO","msg":"listening","pid":"not a number","schema":5}` + "\n"
	for _, test := range []struct{ name, text, want string }{
		{"good", good, ""},
		{"among the program's own lines", "starting\n" + foreign + good + "panic: oops\n\n", ""},
		{"cut off", good + good[:len(good)/2], "log.1:2: cut off, as by a kill or a full disk; left out"},
		{"cut off in the middle", good[:40] + "\n" + good, "log.1:1: damaged (unexpected end of JSON input); left out"},
		{"two in one", good[:100] + good + good, "log.1:1: damaged (invalid character "},
		{"another version", newer + good, `log.1:1: schema "atomrace.violation/2" is of another version of atomrace, this one reads /1; left out`},
		{"another schema", good + `{"schema":"atomrace.weather/1"}`, `log.1:2: schema "atomrace.weather/1" is unknown; left out`},
		{"of another type", good + `{"schema":"atomrace.violation/1","pid":"x"}`, "log.1:2: damaged (json: cannot unmarshal string"},
		{"without accesses", good + lineOf(t, bare), "log.1:2: damaged (fewer than two accesses); left out"},
		{"without id", good + strings.Replace(good, `"id":"a"`, `"id":""`, 1), "log.1:2: damaged (no id); left out"},
		{"without file", good + strings.Replace(good, `"file":"pool.go"`, `"file":""`, 1), "log.1:2: damaged (an access without role, file or line); left out"},
		{"endless", good + `{"schema":"` + strings.Repeat("x", maxLine) + "\"}\n" + good, "log.1:2: longer than 4194304 bytes; left out"},
	} {
		l := read(test.text)
		if len(l.Violations) != 1 || l.Violations[0].ID != "a" || l.Violations[0].Count != 3 {
			t.Errorf("%s: %d violations", test.name, len(l.Violations))
		}
		if got := fmt.Sprint(l.Problems); test.want == "" && len(l.Problems) > 0 || test.want != "" && (len(l.Problems) != 1 || !strings.Contains(got, test.want)) {
			t.Errorf("%s: problems %s, want %q", test.name, got, test.want)
		}
	}
	for text, want := range map[string]string{
		"":                           "log.1: no report in JSON lines (ATOMRACE=log_format=json makes them)",
		"a\nb\n":                     "log.1: no report in JSON lines",
		"==\nWARNING: ATOMRACE: x\n": "log.1: a report for people; run the program with ATOMRACE=log_format=json",
	} {
		if l := read(text); len(l.Problems) != 1 || !strings.HasPrefix(l.Problems[0].String(), want) {
			t.Errorf("%q: %v", text, l.Problems)
		}
	}
	l := new(Log)
	missing := filepath.Join(t.TempDir(), "none")
	l.ReadFile(missing)
	l.ReadFile(filepath.Dir(missing))
	if got := fmt.Sprint(l.Problems); len(l.Problems) != 2 || !strings.Contains(got, missing+": no such file") {
		t.Errorf("%v", got)
	}
}

// A run counts with what it said last, and once, however often its log is given;
// other runs are added.
func TestMerge(t *testing.T) {
	later := broken("a", 2, 1)
	later.Time = start.Add(-time.Hour)
	later.Accesses[0].Goroutine = 99
	one := lineOf(t, broken("a", 1, 1)) + lineOf(t, broken("b", 1, 1)) +
		`{"schema":"atomrace.count/1","pid":1,"program":"server","id":"a","count":10}` + "\n" +
		`{"schema":"atomrace.notice/1","pid":1,"program":"server","msg":"no lock"}` + "\n" +
		`{"schema":"atomrace.summary/1","pid":1,"program":"server","counts":[{"id":"a","count":14},{"id":"b","count":2}]}` + "\n"
	two := lineOf(t, later) + `{"schema":"atomrace.count/1","pid":2,"program":"server","id":"a","count":100}` + "\n" +
		`{"schema":"atomrace.notice/1","pid":2,"program":"server","msg":"no lock"}` + "\n"
	l := read(one, two, one)
	if len(l.Problems) > 0 || len(l.Violations) != 2 {
		t.Fatalf("%d violations, %v", len(l.Violations), l.Problems)
	}
	a, b := l.Violations[0], l.Violations[1]
	if a.ID != "a" || a.Count != 114 || fmt.Sprint(a.Processes) != "[{server 1 14} {server 2 100}]" || a.Accesses[0].Goroutine != 99 {
		t.Errorf("a: %+v", a)
	}
	if b.Count != 2 || l.Total() != 116 || l.Processes() != 2 || fmt.Sprint(l.Notices) != "[no lock]" {
		t.Errorf("b: %+v, in all %d by %d, notices %v", b, l.Total(), l.Processes(), l.Notices)
	}

	// What is merged can be merged again.
	var merged bytes.Buffer
	if err := l.WriteJSON(&merged); err != nil {
		t.Fatal(err)
	}
	again := read(merged.String())
	var twice bytes.Buffer
	if err := again.WriteJSON(&twice); err != nil || twice.String() != merged.String() {
		t.Errorf("%v, once\n%s\ntwice\n%s", err, &merged, &twice)
	}
}

func TestText(t *testing.T) {
	l := read(lineOf(t, broken("a", 1, 3)))
	source := sourceTree(t)
	var b strings.Builder
	if err := l.WriteText(&b, source); err != nil {
		t.Fatal(err)
	}
	const want = `atomicity violation on Pool.free of package example.com/pool, type []*Conn  [a]
  seen 3 times in 1 process, first on TIME
  section (*Pool).Get/Pool.free#1 (load-and-store), which allows {read}
  entry   read of goroutine 7 at pool.go:5:7 in (*Pool).Get: n := len(p.free)
  foreign write of goroutine 9 at pool.go:20 in (*Pool).Put: p.free = nil (2 times)
  end     write of goroutine 7 at pool.go:9 in (*Pool).Get: p.free = p.free[:n-1]
  pool.go (may have changed since the report)
        2  // line 2
        3  // line 3
        4  // line 4
  >     5      n := len(p.free)  <- entry
        6  // line 6
        7  // line 7
        8  // line 8
  >     9  // line 9  <- end
       10  // line 10
       11  // line 11
       12  // line 12
          …
       17  // line 17
       18  // line 18
       19  // line 19
  >    20  // line 20  <- foreign
  stack of foreign:
    pool.(*Pool).Put()
        pool.go:20
    started by main.main
        main.go:3
  healing: off
  for atomicity.yaml:
`
	got := strings.Replace(b.String(), start.Local().Format("2006-01-02 15:04:05"), "TIME", 1)
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "status: confirmed\n\n1 distinct violation in 1 process, seen 3 times\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b.Reset()
	if err := read().WriteText(&b, nil); err != nil || b.String() != "no violations\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// A log cannot make a terminal do anything.
func TestTextIsPrintable(t *testing.T) {
	v := broken("a", 1, 1)
	v.Variable, v.Accesses[0].Code, v.Suggestion = "x\x1b[2J", "a\x9b\r\n", "\x07"
	l := read(lineOf(t, v) + `{"schema":"atomrace.notice/1","msg":"\u001b]0;x"}` + "\n")
	var b strings.Builder
	if err := l.WriteText(&b, nil); err != nil || strings.ContainsAny(b.String(), "\x1b\r\x07\u009b") || !strings.Contains(b.String(), "[2J") {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// One section that was broken at two ends has both; a race makes a variable that
// is watched; what is no entry is a problem.
func TestSpec(t *testing.T) {
	other, strange := broken("b", 1, 1), broken("d", 1, 1)
	other.Suggestion = strings.ReplaceAll(other.Suggestion, `p.free[:n-1]", ordinal: 4`, `nil", ordinal: 6`)
	strange.Suggestion = "- package: [\n"
	l := read(lineOf(t, broken("a", 1, 1)) + lineOf(t, other) + lineOf(t, raced("c")) + lineOf(t, strange))
	var b strings.Builder
	if err := l.WriteSpec(&b); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(b.String(), "version:")
	const want = ` 1
packages:
  - package: example.com/pool
    variables:
      - variable: Pool.free
        type: "[]*Conn"
        sections:
          - id: (*Pool).Get/Pool.free#1
            pattern: load-and-store
            function: (*Pool).Get
            entry: {access: read, code: "n := len(p.free)", ordinal: 1, line: 5}
            ends:
              - {access: write, code: "p.free = p.free[:n-1]", ordinal: 4, line: 9, allow: [read]}
              - {access: write, code: "p.free = nil", ordinal: 6, line: 9, allow: [read]}
            origin: user
            status: confirmed
      - variable: hits
        sections: []
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if len(l.Problems) != 1 || !strings.HasPrefix(l.Problems[0].String(), "violation d: its suggestion cannot be used: ") {
		t.Errorf("problems %v", l.Problems)
	}
}

// sourceTree is a directory with a pool.go, which a log may show, and ways out of
// it, which it may not.
func sourceTree(t *testing.T) *Source {
	t.Helper()
	dir := t.TempDir()
	tree := filepath.Join(dir, "tree")
	var text strings.Builder
	for n := 1; n <= 20; n++ {
		if n == 5 {
			text.WriteString("\tn := len(p.free)\n")
			continue
		}
		fmt.Fprintf(&text, "// line %d", n)
		if n < 20 {
			text.WriteString("\n")
		}
	}
	for name, text := range map[string]string{"tree/pool.go": text.String(), "tree/sub/pool.go": text.String(), "secret.go": "secret", "tree/secret.txt": "secret"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "secret.go"), filepath.Join(tree, "link.go")); err != nil {
		t.Fatal(err)
	}
	s, err := OpenSource(tree)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSource(t *testing.T) {
	s := sourceTree(t)
	outside := filepath.Join(filepath.Dir(s.dir), "secret.go")
	for file, found := range map[string]bool{
		"pool.go": true, "sub/pool.go": true, filepath.Join(s.dir, "sub", "pool.go"): true, // as built here
		"/elsewhere/checkout/sub/pool.go": true, "example.com/pool/pool.go": true, // built elsewhere, -trimpath
		"nowhere.go": false, "": false, ".": false, "..": false, "/": false,
		outside: false, "../secret.go": false, "sub/../../secret.go": false, "link.go": false, "secret.txt": false, "/etc/passwd": false,
	} {
		v := broken("a", 1, 1)
		v.Accesses = v.Accesses[:1]
		v.Accesses[0].File, v.Accesses[0].Line = file, 1
		got := s.Excerpts(&v)
		if (len(got) > 0) != found || found && got[0].Lines[0].Text != "// line 1" {
			t.Errorf("%q: %+v", file, got)
		}
	}
	v := broken("a", 1, 1)
	v.Accesses[0].Line = 1 << 30
	if got := s.Excerpts(&v); len(got) != 1 || len(got[0].Lines) == 0 {
		t.Errorf("a line beyond the end: %+v", got)
	}
}
