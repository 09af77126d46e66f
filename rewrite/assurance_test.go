package rewrite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity"
)

// Each program has a section over T.n in (*T).f, from its first read to its last
// write. want is the whole reason, or its beginning; it begins with ok where the
// section is assured.
var assuranceTests = []struct{ name, code, want string }{
	{"update", `func (t *T) f() { t.n++ }`, "ok: nothing in it waits"},
	{"computes", `func (t *T) f() { n := t.n; n = strings.Count("a", strings.Repeat("b", n)); t.n = n + len(t.s) }`, "ok: nothing in it waits"},
	{"helper", `func (t *T) f() { n := t.n; t.n = double(n) }; func double(n int) int { return n * 2 }`, "ok: nothing in it waits"},
	{"same instance in a helper", `func (t *T) f() { n := t.n; t.log(); t.n = n + 1 }; func (t *T) log() { last = t.n }`, "ok: nothing in it waits"},
	{"callback in place", `func (t *T) f() { n := t.n; slices.SortFunc(t.s, func(a, b int) int { return a - b }); t.n = n + 1 }`, "ok: nothing in it waits"},
	{"sends", `func (t *T) f() { n := t.n; t.c <- n; t.n = n + 1 }`, "it sends to a channel at "},
	{"receives", `func (t *T) f() { n := t.n; n += <-t.c; t.n = n }`, "it receives from a channel at "},
	{"ranges", `func (t *T) f() { n := t.n; for x := range t.c { n += x }; t.n = n }`, "it ranges over a channel at "},
	{"selects", `func (t *T) f() { n := t.n; select { case x := <-t.c: n = x; case t.c <- 1: }; t.n = n }`, "it waits in a select at "},
	{"polls", `func (t *T) f() { n := t.n; select { case t.c <- 1: default: n++ }; t.n = n }`, "ok: nothing in it waits"},
	{"closes", `func (t *T) f() { n := t.n; close(t.c); t.n = n + 1 }`, "ok: nothing in it waits"},
	{"waits for a group", `func (t *T) f() { n := t.n; t.wg.Wait(); t.n = n + 1 }`, "it calls (*sync.WaitGroup).Wait at "},
	{"forks and joins", `func (t *T) f() { n := t.n; t.wg.Add(1); go t.g(); t.wg.Wait(); t.n = n + 1 }; func (t *T) g() { t.n++; t.wg.Done() }`, "it calls (*sync.WaitGroup).Wait at "},
	{"forks", `func (t *T) f() { n := t.n; go t.g(); t.n = n + 1 }; func (t *T) g() { <-t.c }`, "ok: nothing in it waits"},
	{"sleeps", `func (t *T) f() { n := t.n; time.Sleep(1); t.n = n + 1 }`, "it calls time.Sleep at "},
	{"prints", `func (t *T) f() { n := t.n; fmt.Println(n); t.n = n + 1 }`, "it calls fmt.Println at "},
	{"formats", `func (t *T) f() { n := t.n; _ = fmt.Appendf(nil, "%d %v", n, t.s); t.n = n + 1 }`, "ok: nothing in it waits"},
	{"formats an error", `func (t *T) f() { n := t.n; _ = fmt.Sprint(n, t.err); t.n = n + 1 }`, "it calls fmt.Sprint at "},
	{"formats what has a method", `func (t *T) f() { n := t.n; _ = fmt.Sprint(time.Duration(n)); t.n = n + 1 }`, "it calls fmt.Sprint at "},
	{"formats a pointer", `func (t *T) f() { n := t.n; _ = fmt.Sprint(t.next); t.n = n + 1 }`, "it calls fmt.Sprint at "},
	{"formats a list of anything", `func (t *T) f() { n := t.n; l := []any{t.err}; _ = fmt.Sprint(l...); t.n = n + 1 }`, "it calls fmt.Sprint at "},
	{"function value", `func (t *T) f() { n := t.n; t.cb(); t.n = n + 1 }`, "it calls a function value at "},
	{"interface", `func (t *T) f() { n := t.n; _ = t.err.Error(); t.n = n + 1 }`, "it calls Error of an interface at "},
	{"hands on a callback", `func (t *T) f() { n := t.n; slices.SortFunc(t.s, t.cmp); t.n = n + 1 }`, "it hands slices.SortFunc a function at "},
	{"deep in helpers", `func (t *T) f() { n := t.n; t.a(); t.n = n + 1 }; func (t *T) a() { t.b() }; func (t *T) b() { <-t.c }`, "it receives from a channel at "},
	{"spins", `func (t *T) f() { n := t.n; for !ready {}; t.n = n + 1 }`, "it loops on ready at "},
	{"spins on a call", `func (t *T) f() { n := t.n; for !t.flag.Load() {}; t.n = n + 1 }`, "it loops on the result of a call at "},
	{"spins for good", `func (t *T) f() { n := t.n; for { if ready { break } }; t.n = n + 1 }`, "it loops without a condition at "},
	{"counts", `func (t *T) f() { n := t.n; for i := 0; i < 10; i++ { n += i }; t.n = n }`, "ok: nothing in it waits"},
	{"what follows the end", `func (t *T) f() { n := t.n; if n > 0 { t.n = n + 1; <-t.c } }`, "ok: nothing in it waits"},
	{"the other branch", `func (t *T) f() { n := t.n; if n > 0 { t.n = n + 1 } else { <-t.c } }`, "ok: nothing in it waits"},
	{"leaves", `func (t *T) f() { n := t.n; if n > 9 { <-t.c; return }; t.n = n + 1 }`, "ok: nothing in it waits"},
	{"leaves by else", `func (t *T) f() { n := t.n; if n < 9 { n++ } else if n > 20 { <-t.c; panic(n) } else { t.cb(); return }; t.n = n }`, "ok: nothing in it waits"},
	{"leaves by a clause", `func (t *T) f() { n := t.n; switch { case n > 9: t.cb(); return; case n > 5: n = 5 }; t.n = n + 1 }`, "ok: nothing in it waits"},
	{"leaves a loop", `func (t *T) f() { for range 3 { n := t.n; if n > 9 { <-t.c; continue }; t.n = n + 1 } }`, "ok: nothing in it waits"},
	{"waits and stays", `func (t *T) f() { n := t.n; if n > 9 { <-t.c; n++ }; t.n = n + 1 }`, "it receives from a channel at "},
	{"waits in the condition", `func (t *T) f() { n := t.n; if <-t.c > 9 { n++; return }; t.n = n + 1 }`, "it receives from a channel at "},
	{"leaves on one way", `func (t *T) f() { n := t.n; if n > 9 { <-t.c; if n > 20 { return } }; t.n = n + 1 }`, "it receives from a channel at "},
	{"breaks and stays", `func (t *T) f() { n := t.n; switch { case n > 9: <-t.c; break }; t.n = n + 1 }`, "it receives from a channel at "},
	{"goes on elsewhere", `func (t *T) f() { n := t.n; if n > 9 { <-t.c; goto end }; n++; end: t.n = n }`, "it receives from a channel at "},
	{"falls into another", `func (t *T) f() { n := t.n; switch { case n > 9: n = 1; fallthrough; case n > 20: <-t.c; return }; t.n = n + 1 }`, "it receives from a channel at "},
	{"round a loop", `func (t *T) f() { for t.n > 0 { t.n = t.n - 1; <-t.c } }`, "ok: nothing in it waits"},
	{"round a loop of calls", `func (t *T) f() { for t.left() > 0 { t.n--; <-t.c } }; func (t *T) left() int { return t.n }`, "ok: nothing in it waits"},
	{"round a loop and waits", `func (t *T) f() { for t.n > 0 { <-t.c; t.n = t.n - 1 } }`, "it receives from a channel at "},
	{"round a loop to the next", `func (t *T) f() { for ; t.n > 0; t.n-- { <-t.c } }`, "it loops on n at "},
	{"ends in the other branch", `func (t *T) f() { n := 0; for i := 0; i < 9; i++ { if i%2 == 0 { n = t.n; <-t.c } else { t.n = n + 1 } } }`, "it receives from a channel at "},
	{"another instance", `func (t *T) f() { n := t.n; t.next.n = 0; t.n = n + 1 }`, "it accesses T.n at "},
	{"moves on", `func (t *T) f() { n := t.n; t = t.next; t.n = n + 1 }`, "it accesses T.n at "},
	{"two critical sections", `func (t *T) f() { t.mu.Lock(); n := t.n; t.mu.Unlock(); t.mu.Lock(); t.n = n + 1; t.mu.Unlock() }`,
		"ok: what it waits for does not wait for its healing lock"},
	{"two critical sections of others", `func (t *T) f() { t.mu.Lock(); n := t.n; t.mu.Unlock(); t.mu.Lock(); t.n = n + 1; t.mu.Unlock() }
		func (t *T) g() { t.mu.Lock(); defer t.mu.Unlock(); t.set(0) }; func (t *T) set(n int) { t.n = n }`,
		"ok: what it waits for does not wait for its healing lock"},
	{"a critical section that cannot be hoisted", `func (t *T) f() { t.mu.Lock(); n := t.n; t.mu.Unlock(); t.mu.Lock(); t.n = n + 1; t.mu.Unlock() }
		func (t *T) g() { t.mu.Lock(); t.next.n = 0; t.mu.Unlock() }`, "it takes t.mu at "},
	{"the lock is held while waiting", `func (t *T) f() { t.mu.Lock(); n := t.n; t.mu.Unlock(); t.mu.Lock(); t.n = n + 1; t.mu.Unlock() }
		func (t *T) g() { t.mu.Lock(); <-t.c; t.mu.Unlock() }`, "it takes t.mu at "},
	{"the lock is kept", `func (t *T) f() { t.mu.Lock(); n := t.n; t.mu.Unlock(); t.mu.Lock(); t.n = n + 1; t.mu.Unlock() }
		func (t *T) g() { t.mu.Lock() }`, "it takes t.mu at "},
	{"the lock is passed on", `func (t *T) f() { t.mu.Lock(); n := t.n; t.mu.Unlock(); t.mu.Lock(); t.n = n + 1; t.mu.Unlock() }
		func (t *T) g(l func(*sync.Mutex)) { l(&t.mu) }`, "it takes t.mu at "},
	{"the lock by a method value", `func (t *T) f() { t.mu.Lock(); n := t.n; t.mu.Unlock(); t.mu.Lock(); t.n = n + 1; t.mu.Unlock() }
		func (t *T) g() func() { return t.mu.Lock }`, "it takes t.mu at "},
	{"another lock in one order", `func (t *T) f() { n := t.n; t.mu.Lock(); t.m++; t.mu.Unlock(); t.n = n + 1 }`,
		"ok: what it waits for does not wait for its healing lock"},
	{"another lock in both orders", `func (t *T) f() { n := t.n; t.mu.Lock(); t.m++; t.mu.Unlock(); t.n = n + 1 }
		func (t *T) g() { t.mu.Lock(); x := t; x.n = 0; t.mu.Unlock() }`, "it takes t.mu at "},
	{"an embedded lock", `func (t *T) f() { t.RLock(); n := t.n; t.RUnlock(); t.Lock(); t.n = n + 1; t.Unlock() }`,
		"ok: what it waits for does not wait for its healing lock"},
	{"a lock by pointer", `func (t *T) f() { n := t.n; t.pmu.Lock(); t.pmu.Unlock(); t.n = n + 1 }`, "it takes a lock that cannot be told at "},
	{"waits for a condition", `func (t *T) f() { t.mu.Lock(); n := t.n; t.cond.Wait(); t.n = n + 1; t.mu.Unlock() }`, "it calls (*sync.Cond).Wait at "},
	{"lib with a lock of its own", `func (t *T) f() { t.mu.Lock(); n := t.n; t.mu.Unlock(); t.mu.Lock(); t.n = n + 1; t.mu.Unlock() }`,
		"ok: what it waits for does not wait for its healing lock"},
	{"lib with a lock that others can take", `func (t *T) f() { t.RLock(); n := t.n; t.RUnlock(); t.Lock(); t.n = n + 1; t.Unlock() }`, "it takes t at "},
	{"circular", `func (t *T) f() { for i := 0; i < 9; i++ { t.n++; <-t.c } }`, "ok: nothing in it waits"},
}

const assurancePrelude = `package main

import ("fmt"; "slices"; "strings"; "sync"; "sync/atomic"; "time")

type T struct {
	sync.RWMutex
	mu sync.Mutex
	pmu *sync.Mutex
	cond *sync.Cond
	wg sync.WaitGroup
	flag atomic.Bool
	n, m int
	s []int
	c chan int
	cb func()
	cmp func(a, b int) int
	err error
	next *T
}

var last int
var ready bool
var _ = fmt.Sprint
var _ = strings.Count
var _ = slices.Max[[]int]
var _ = time.Now
func main() { new(T).f() }
`

// plans loads the programs of a module and plans them, with a section in each.
func plans(t *testing.T, files map[string]string) map[string]*plan {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module assured\n\ngo 1.26\n")
	for name, text := range files {
		write(t, filepath.Join(dir, name, "x.go"), text)
	}
	pkgs, _, err := load(context.Background(), Options{Dir: dir}, os.Environ(), []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	planned := map[string]*plan{}
	for _, pkg := range pkgs {
		spec := atomicity.New()
		spec.Packages = []*atomicity.Package{{Path: pkg.PkgPath, Variables: []*atomicity.Variable{{Name: "T.n", Sections: []*atomicity.Section{{
			ID: "S", Pattern: atomicity.User, Function: "(*T).f", Entry: atomicity.Location{Access: atomicity.Read, Ordinal: 1},
		}}}, {Name: "T.m"}}}}
		display := func(f string) string { return f }
		for range 2 {
			p := newPlan(pkg, newWatched(spec), Options{}, func(string) bool { return true }, display)
			section := spec.Packages[0].Variables[0].Sections[0]
			for _, fn := range p.accesses.Functions {
				for _, a := range fn.Accesses {
					if fn.Name == "(*T).f" && p.accesses.Name(a.Var) == "T.n" && a.Mode == atomicity.Write {
						section.Ends = []atomicity.End{{Location: atomicity.Location{Access: atomicity.Write, Ordinal: a.Ordinal}, Allow: atomicity.Read}}
					}
				}
			}
			planned[filepath.Base(pkg.PkgPath)] = p
		}
	}
	return planned
}

func TestAssurance(t *testing.T) {
	files := map[string]string{}
	for _, test := range assuranceTests {
		text := assurancePrelude + test.code
		if strings.HasPrefix(test.name, "lib ") {
			text = strings.Replace(text, "package main", "package lib", 1)
		}
		files[strings.ReplaceAll(test.name, " ", "-")] = text
	}
	all := plans(t, files)
	for _, test := range assuranceTests {
		p := all[strings.ReplaceAll(test.name, " ", "-")]
		if p == nil || len(p.sections) != 1 {
			t.Errorf("%s: no section", test.name)
			continue
		}
		for _, file := range p.pkg.Syntax {
			x, err := newPass(p, file)
			if err != nil {
				t.Fatal(err)
			}
			x.run(Options{}, true)
		}
		p.assure()
		s := p.own.sections[0]
		got := s.assurance
		if s.assured {
			got = "ok: " + got
		}
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
