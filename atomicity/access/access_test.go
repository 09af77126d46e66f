package access

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity"
)

const prelude = `package p
import ("sync"; "sync/atomic")
var _ atomic.Bool
type Inner struct { n int }
type T struct {
	mu     sync.Mutex
	n      int
	next   *T
	in     Inner
	free   []int
	arr    [4]int
	m      map[string]int
	nested map[string]map[string]int
	closed atomic.Bool
	raw    int32
	lazy   sync.Map
	anon   struct{ hits int }
	ptr    *int
	cb     func(int) int
	ch     chan int
	Inner
	atomic.Int64
}
type G[X any] struct { v X; p atomic.Pointer[X] }
var count int
var table = map[string]int{}
func (t *T) get() *T { return t }
func use(...any) {}
`

// fset and std are shared so that the imports are read once.
var (
	fset = token.NewFileSet()
	std  = importer.ForCompiler(fset, "source", nil)
)

func enumerate(t *testing.T, src string) *Package {
	t.Helper()
	file, err := parser.ParseFile(fset, "p.go", prelude+src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{Importer: std}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return Enumerate(fset, []*ast.File{file}, pkg, info)
}

// list renders the accesses of function f: mode, variable and ordinal.
func list(p *Package, f string) string {
	var b strings.Builder
	for _, fn := range p.Functions {
		if fn.Name != f {
			continue
		}
		for _, a := range fn.Accesses {
			mode := "r"
			if a.Mode == atomicity.Write {
				mode = "w"
			}
			fmt.Fprintf(&b, "%s %s#%d; ", mode, p.Name(a.Var), a.Ordinal)
		}
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestEnumerate(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		// Updates are a read and a write; assignments write last.
		{"t.n++", "r T.n#1; w T.n#2"},
		{"t.n += count", "r T.n#1; r count#1; w T.n#2"},
		{"t.n = t.n + 1", "r T.n#1; w T.n#2"},
		{"t.free = append(t.free, t.n)", "r T.free#1; r T.n#1; w T.free#2"},
		{"t.n, count = count, t.n", "r count#1; r T.n#1; w T.n#2; w count#2"},
		// Selecting through pointers reads them; through values it does not.
		{"use(t.next.n)", "r T.next#1; r T.n#1"},
		{"use(t.in.n)", "r Inner.n#1"},
		{"t.in.n = 1", "w Inner.n#1"},
		{"t.anon.hits++", "r T.anon.hits#1; w T.anon.hits#2"},
		{"use(t.Inner.n)", "r Inner.n#1"},
		// Containers.
		{"if len(t.free) > 0 { use(t.free[0]) }", "r T.free#1; r T.free#2; r T.free[]#1"},
		{"t.m[\"a\"] = t.m[\"b\"] + 1", "r T.m#1; r T.m#2; r T.m[]#1; w T.m[]#2"},
		{"t.m[\"a\"]++", "r T.m#1; r T.m[]#1; w T.m[]#2"},
		{"delete(t.m, \"a\"); use(len(t.m)); clear(t.m)", "r T.m#1; w T.m[]#1; r T.m#2; r T.m[]#2; r T.m#3; w T.m[]#3"},
		{"for k := range t.m { use(k) }", "r T.m#1; r T.m[]#1"},
		{"t.arr[1] = t.arr[0]", "r T.arr[]#1; w T.arr[]#2"},
		{"table[\"x\"]++", "r table#1; r table[]#1; w table[]#2"},
		{"*t.ptr = 1; use(*t.ptr)", "r T.ptr#1; w T.ptr[]#1; r T.ptr#2; r T.ptr[]#2"},
		// Synchronisation.
		{"if !t.closed.Load() { t.closed.Store(true); close(t.ch) }", "r T.closed#1; w T.closed#2; r T.ch#1"},
		{"atomic.AddInt32(&t.raw, 1); use(atomic.LoadInt32(&t.raw))", "w T.raw#1; r T.raw#2"},
		{"v, ok := t.lazy.Load(\"k\"); if !ok { t.lazy.Store(\"k\", 1) }; use(v)", "r T.lazy[]#1; w T.lazy[]#2"},
		{"t.Int64.Add(1)", "w T.Int64#1"},
		{"t.Int64.Store(t.Int64.Load())", "r T.Int64#1; w T.Int64#2"},
		{"t.mu.Lock(); t.mu.Unlock(); m := &t.mu; use(m)", ""},
		// Taking an address or calling a pointer method is no access.
		{"p := &t.n; use(p); f := t.get; use(f)", ""},
		{"use(t.get().n)", "r T.n#1"},
		{"use(t.cb(t.n))", "r T.cb#1; r T.n#1"},
		// Locals count when a literal captures them.
		{"x := 1; x++; use(x)", ""},
		{"x := 1; go func() { x++ }(); use(x)", "r f.x#1; w f.x#2; r f.x#3"},
		{"var v T; v.n = 1; use(v.n)", ""},
		{"var v T; go func() { v.n = 1 }(); use(v.n)", "w T.n#1; r T.n#2"},
		{"g := new(G[int]); g.v = 1; g.p.Store(nil)", "w G.v#1; w G.p#1"},
		{"for t.n = 0; t.n < 3; t.n++ { use() }", "w T.n#1; r T.n#2; r T.n#3; w T.n#4"},
		{"select { case t.n = <-t.ch: default: }", "r T.ch#1; w T.n#1"},
		{"for t.n = range t.free {}", "r T.free#1; w T.n#1"},
		{"x := 0; f := func() { x := 1; go func() { x++ }() }; f(); use(x)", "r f.x#2#1; w f.x#2#2"},
	} {
		p := enumerate(t, "func f(t *T) { "+test.body+" }")
		if got := list(p, "f"); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.body, got, test.want)
		}
	}
}

func TestFunctionNames(t *testing.T) {
	p := enumerate(t, `
func (t T) value() {}
func (t *T) pointer() {}
func (g *G[X]) generic() { g.v = g.v }
var handler = func() { count++ }
`)
	var names []string
	for _, f := range p.Functions {
		names = append(names, f.Name)
	}
	want := "(*T).get use T.value (*T).pointer (*G).generic handler"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := list(p, "handler"); got != "r count#1; w count#2" {
		t.Errorf("initialiser: got %s", got)
	}
}

func TestCode(t *testing.T) {
	p := enumerate(t, `func f(t *T) {
	if len(t.free) >
		0 && t.n == 1 {
		t.n = 2
	}
	go func(t *T) { use(t.next) }(t)
	use(func() int { return 1 }, t.ch)
	switch { case t.raw > 0: }
}`)
	var got []string
	for _, a := range p.Functions[2].Accesses {
		got = append(got, a.Code())
	}
	want := []string{
		"if len(t.free) > 0 && t.n == 1", "if len(t.free) > 0 && t.n == 1", "t.n = 2",
		"use(t.next)", "use((func() int literal), t.ch)", "case t.raw > 0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestFindFollowsEdits(t *testing.T) {
	before := enumerate(t, "func f(t *T) { x := t.n; use(x); t.n = x + 1 }")
	store := before.Location(before.Functions[2].Accesses[1])

	// A new access in front shifts the ordinal; the code still finds it.
	after := enumerate(t, "func f(t *T) { use(t.n); t.n = 0; x := t.n; use(x); t.n = x + 1 }")
	if a := after.Find("f", "T.n", store); a == nil || a.Ordinal != 4 {
		t.Errorf("inserted code: got %+v", a)
	}
	// An edited statement is found by its ordinal.
	edited := enumerate(t, "func f(t *T) { x := t.n; use(x); t.n = x + 2 }")
	if a := edited.Find("f", "T.n", store); a == nil || a.Ordinal != 2 {
		t.Errorf("edited statement: got %+v", a)
	}
	// Another statement in its place is not the same, though.
	replaced := enumerate(t, "func f(t *T) { x := t.n; use(x); t.n, t.next = 0, nil }")
	if a := replaced.Find("f", "T.n", store); a != nil {
		t.Errorf("replaced statement: got %+v", a)
	}
	// A removed access is gone.
	if a := enumerate(t, "func f(t *T) { use(t.n) }").Find("f", "T.n", store); a != nil {
		t.Errorf("removed: got %+v", a)
	}
}

// TestRecursiveTypes: types that contain themselves are named without end
// otherwise.
func TestRecursiveTypes(t *testing.T) {
	p := enumerate(t, `
type Slice []Slice
type Tree map[string]Tree
type Pointer *Pointer
type Chan chan Chan
type List struct { tail *List; inner struct { back *List; n int } }
func f(l *List) { l.inner.n = 1; l.tail = l.inner.back }
`)
	want := "w List.inner.n#1; r List.inner.back#1; w List.tail#1"
	if got := list(p, "f"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNamesAreStable: an anonymous struct type that several variables share is
// named after the first of them, every time.
func TestNamesAreStable(t *testing.T) {
	for range 20 {
		p := enumerate(t, `
func f() {
	first := &struct{ n int }{}
	second, third := first, first
	second.n = third.n
}`)
		if got, want := list(p, "f"), "r f.first.n#1; w f.first.n#2"; got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

// Members of sets are fields, with their places, and package-level variables.
func TestMember(t *testing.T) {
	pkg := enumerate(t, "type R struct { a string; in struct { a, b int } }\nvar cfg struct { name string; port int }\nfunc f() { x := 0; use(func() { x++ }) }").Types
	sizes := types.SizesFor("gc", "amd64")
	for name, want := range map[string]string{
		"T.mu": "0 true", "T.n": "8 true", "T.next": "16 true", "T.in": "24 true", "R.in.b": "24 true", "count": "0 false", "cfg.port": "16 false",
		"T.none": "is no field: there is none with the name none", "none": "is no field of a type", "T": "is no field of a type",
		"f.x": "is no field of a type", "G.v": "is a field of a generic type", "T.next.n": "is no field of a struct",
	} {
		m, err := FindMember(pkg, name)
		got := fmt.Sprint(m.Offset(sizes), " ", m.Named)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A call of a method that gets at the entry of a map whose key is a parameter is an
// access to that entry.
func TestCallOfEntry(t *testing.T) {
	p := enumerate(t, `
type M struct { mu sync.Mutex; m map[string]int; any map[any]int; deep map[string]map[string]int; s sync.Map }
func (t *M) get(k string) int { t.mu.Lock(); defer t.mu.Unlock(); return t.m[k] }
func (t *M) set(n int, k string) { t.m[k] = n }
func (t *M) inc(k string) { t.m[k]++ }
func (t *M) drop(k string) { delete(t.m, k) }
func (t *M) any1(k string) int { return t.any[k] }
func (t *M) load(k string) any { v, _ := t.s.Load(k); return v }
func (t *M) both(k, l string) int { return t.m[k] + t.m[l] }
func (t *M) changed(k string) int { k += "s"; return t.m[k] }
func (t *M) address(k string) int { p := &k; *p = "s"; return t.m[k] }
func (t *M) computed(k string) int { return t.m[k+"s"] }
func (t *M) fixed(k string) int { return t.m["s"] }
func (t *M) within(k string) int { return t.deep["s"][k] }
func (t *M) size(k string) int { return len(t.m) }
func (t *M) list(k ...string) int { return t.m[k[0]] }
func two() (int, string) { return 1, "two" }
func f(t *M, x, y string) {
	t.set(1, x)
	t.inc(y)
	t.set(t.get(x) + 1, x)
	t.drop(x)
	t.any1("any")
	t.load(x)
	t.set(two())
	t.both(x, y); t.changed(x); t.address(x); t.computed(x); t.fixed(x); t.within(x); t.size(x); t.list(x)
}
`)
	var got []string
	for _, name := range []string{"M.m[]", "M.any[]", "M.s[]", "M.deep[]"} {
		for _, a := range p.In("f", name) {
			got = append(got, fmt.Sprintf("%s %s %v %d: %s in %s", a.Method, name, a.Mode, a.Ordinal, types.ExprString(a.Key), a.Code()))
		}
	}
	want := []string{
		"set M.m[] {write} 1: x in t.set(1, x)",
		"inc M.m[] {write} 2: y in t.inc(y)",
		"set M.m[] {write} 3: x in t.set(t.get(x) + 1, x)",
		"get M.m[] {read} 4: x in t.set(t.get(x) + 1, x)",
		"drop M.m[] {write} 5: x in t.drop(x)",
		"any1 M.any[] {read} 1: \"any\" in t.any1(\"any\")",
		"load M.s[] {read} 1: x in t.load(x)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A call of a method that gets at a field of its receiver is an access of the caller,
// for sections: numbered behind the caller's own, a write if the method writes.
func TestCall(t *testing.T) {
	p := enumerate(t, `
func (t *T) count() int { t.mu.Lock(); defer t.mu.Unlock(); return t.n }
func (t *T) setCount(n int) { t.n = n }
func (t *T) isClosed() bool { return t.closed.Load() }
func (t *T) deep() int { return t.next.n }
func (t *T) other(u *T) int { return u.n }
func (t *T) later() func() int { return func() int { return t.n } }
func (t T) copied() int { return t.n }
func f(t *T) {
	t.n = 1
	if !t.isClosed() {
		t.setCount(t.count() + 1)
	}
	_ = t.deep() + t.other(t) + t.later()() + t.copied()
}
`)
	var got []string
	for _, name := range []string{"T.n", "T.closed", "T.next"} {
		for _, a := range p.In("f", name) {
			if a.Kind == Call {
				got = append(got, fmt.Sprintf("%s %s %v %d: %s", a.Method, name, a.Mode, a.Ordinal, a.Code()))
			}
		}
	}
	want := []string{
		"setCount T.n {write} 2: t.setCount(t.count() + 1)",
		"count T.n {read} 3: t.setCount(t.count() + 1)",
		"isClosed T.closed {read} 1: if !t.isClosed()",
		"deep T.next {read} 1: _ = t.deep() + t.other(t) + t.later()() + t.copied()",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, f := range p.Functions {
		for _, a := range f.Accesses {
			if a.Kind == Call {
				t.Errorf("%s: a call among the accesses of %s", a.Code(), f.Name)
			}
		}
	}
}
