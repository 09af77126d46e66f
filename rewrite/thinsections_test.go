package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

const thinSections = `package main

import "sync"

type T struct {
	mu sync.Mutex
	a, b, healed, over, skipped, ranged int
}

func (t *T) twiceSection(n int) {
	t.mu.Lock()
	a := t.a
	t.mu.Unlock()
	t.mu.Lock()
	t.a = a + n
	t.mu.Unlock()
}

func (t *T) twiceAccess() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.a
}

func (t *T) twiceUpdate() { t.b++ }

// What a literal does that is called here alone goes the way of the function.
func (t *T) twiceLiteral(n int) {
	add := func(d int) { t.b += d }
	for i := range n {
		add(i)
	}
}

// The loop's body runs in this activation while that of the iterator goes on, which would
// rest, and so would the end in it.
func (t *T) onceRange(n int) {
	it := func(yield func() bool) {
		if yield() {
			t.ranged = n + 1
		}
	}
	for range it {
		n = t.ranged
	}
	t.ranged = 7
}

func (t *T) onceGo() {
	go func() { t.b++ }()
}

// What is healed must not rest, nor any other access to it.
func (t *T) onceHealed(n int) {
	t.mu.Lock()
	a := t.healed
	t.mu.Unlock()
	t.mu.Lock()
	t.healed = a + n
	t.mu.Unlock()
}

func (t *T) onceHealedRead() int { return t.b + t.healed }

// A section that may end in another activation, which decides for itself: heal does not
// believe the end of it where one of them may have rested.
func (t *T) twiceSkipped(n int) {
	if n > 1 {
		n += t.skipped
	}
	t.skipped = n
}

func (t *T) onceOver(n int) {
	a := t.over
	call(func() { t.over = a + n })
}

func call(f func()) { f() }

func (t *T) onceHealedLiteral() int {
	get := func() int { return t.healed }
	return get()
}

func (t *T) onceNothing(n int) int { return n }

func main() {
	t := &T{}
	t.twiceSection(1)
	println(t.twiceAccess())
}
`

const thinSpec = `version: 1
packages:
  - package: golden/p
    variables:
      - variable: T.a
        sections:
          - id: a
            pattern: load-and-store
            origin: user
            status: confirmed
            function: (*T).twiceSection
            entry: {access: read, code: "a := t.a"}
            ends: [{access: write, code: "t.a = a + n", allow: [read]}]
      - variable: T.b
        sections:
          - id: b
            pattern: load-and-store
            origin: user
            status: confirmed
            function: (*T).twiceUpdate
            entry: {access: read, code: "t.b++", ordinal: 1}
            ends: [{access: write, code: "t.b++", ordinal: 2, allow: [read]}]
      - variable: T.over
        sections:
          - id: over
            pattern: load-and-store
            origin: user
            status: confirmed
            function: (*T).onceOver
            entry: {access: read, code: "a := t.over"}
            ends: [{access: write, code: "t.over = a + n", allow: [read]}]
      - variable: T.ranged
        sections:
          - id: ranged
            pattern: load-and-store
            origin: user
            status: confirmed
            function: (*T).onceRange
            entry: {access: read, code: "n = t.ranged"}
            ends:
              - {access: write, code: "t.ranged = n + 1", allow: [read]}
              - {access: write, code: "t.ranged = 7", allow: [read]}
      - variable: T.skipped
        sections:
          - id: skipped
            pattern: load-and-store
            origin: user
            status: confirmed
            function: (*T).twiceSkipped
            entry: {access: read, code: "n += t.skipped"}
            ends: [{access: write, code: "t.skipped = n", allow: [read]}]
      - variable: T.healed
        sections:
          - id: healed
            pattern: load-and-store
            origin: user
            status: confirmed
            function: (*T).onceHealed
            entry: {access: read, code: "a := t.healed"}
            ends: [{access: write, code: "t.healed = a + n", allow: [read]}]
            heal: auto
`

// TestThinnedSections does so where there are sections.
func TestThinnedSections(t *testing.T) {
	b, file := benchWith(t, thinSections)
	spec := specOf(t, thinSpec)
	for _, o := range []Options{{Spec: spec, Thin: true}, {Spec: spec, Thin: true, Races: true}} {
		r := b.rewrite(t, o)
		parsed, err := parser.ParseFile(token.NewFileSet(), "", r.Files[file], 0)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, d := range parsed.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Recv == nil {
				continue
			}
			seen++
			if got := asks(d.Body); got != strings.HasPrefix(d.Name.Name, "twice") {
				t.Errorf("%s: %v, %+v", d.Name.Name, got, o)
			}
			if d.Name.Name == "onceRange" && anyAsks(d.Body) {
				t.Errorf("%s: the literal rests, %+v", d.Name.Name, o)
			}
			if d.Name.Name == "onceOver" && !anyAsks(d.Body) {
				t.Errorf("%s: the literal does not rest, %+v", d.Name.Name, o)
			}
		}
		if n := strings.Count(string(r.Files[file]), "Apart: true"); n != 3 {
			t.Errorf("%d sections are apart, want 3", n)
		}
		if seen != 12 || r.Hooks.Spec < 10 || len(r.Stale) > 0 {
			t.Errorf("%d methods, %+v", seen, r.Hooks)
		}
	}
}

const thinForeign = `package q

type T struct{ N int }

func (t *T) Add() {
	n := t.N
	t.N = n + 1
}

func (t *T) Get() int { return t.N }
`

const thinForeignSpec = `version: 1
packages:
  - package: golden/q
    variables:
      - variable: T.N
        sections:
          - id: own
            pattern: load-and-store
            origin: user
            status: confirmed
            function: (*T).Add
            entry: {access: read, code: "n := t.N"}
            ends: [{access: write, code: "t.N = n + 1", allow: [read]}]
  - package: golden/p
    variables:
      - variable: golden/q.T.N
        sections:
          - id: others
            pattern: load-and-store
            origin: user
            status: confirmed
            function: main
            entry: {access: read, code: "n := t.N"}
            ends: [{access: write, code: "t.N = n + 1", allow: [read]}]
            HEAL
`

// TestThinnedForeign has two packages with sections of one variable: what is healed of
// either is not to rest anywhere.
func TestThinnedForeign(t *testing.T) {
	b, _ := benchWith(t, `package main

import "golden/q"

func main() {
	t := &q.T{}
	n := t.N
	t.N = n + 1
	t.Add()
	println(t.Get())
}
`)
	b.programs = append(b.programs, "q")
	write(t, filepath.Join(b.dir, "q", "q.go"), thinForeign)
	for heal, want := range map[string]int{"": 3, "heal: lock": 0, "heal: off": 3} {
		spec := specOf(t, strings.Replace(thinForeignSpec, "HEAL", heal, 1))
		r := b.rewrite(t, Options{Spec: spec, Thin: true})
		if len(r.Stale) > 0 || r.Hooks.Sections != 2 || r.Hooks.Thinned != want {
			t.Errorf("%s: %+v %v", heal, r.Hooks, r.Stale)
		}
	}
}

// A bulk access that stands first knows as well what is healed.
func TestThinnedBulk(t *testing.T) {
	b, file := benchWith(t, `package main

type T struct{ s []int }

func (t *T) sum() (sum int) {
	for _, v := range t.s {
		sum += v
	}
	return sum
}

func (t *T) add(i int) {
	n := t.s[i]
	t.s[i] = n + 1
}

func main() {
	t := &T{s: make([]int, 3)}
	go t.add(1)
	t.sum()
}
`)
	spec := specOf(t, `version: 1
packages:
  - package: golden/p
    variables:
      - variable: T.s[]
        sections:
          - id: add
            pattern: load-and-store
            origin: user
            status: confirmed
            function: (*T).add
            entry: {access: read, code: "n := t.s[i]"}
            ends: [{access: write, code: "t.s[i] = n + 1", allow: [read]}]
            heal: lock
`)
	r := b.rewrite(t, Options{Spec: spec, Thin: true, Races: true})
	text := string(r.Files[file])
	if len(r.Stale) > 0 || !strings.Contains(text, `Name: "T.s[]", Type: "[]int", Policy: _ar_heal.PolicyLock`) || strings.Contains(text, "ToldAll") {
		t.Errorf("%v\n%s", r.Stale, text)
	}
}
