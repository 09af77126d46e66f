package rewrite

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atomrace/atomrace/atomicity"
	"golang.org/x/tools/go/packages"
)

// TestCache checks that a run without changes takes everything from the cache,
// that a change inside a function concerns its package alone and one of a
// declaration the importers too, and that the result is always that of a run
// without the cache.
func TestCache(t *testing.T) {
	dir := module(t, "tested")
	o := Options{Dir: dir, Patterns: []string{"./..."}, Tests: true, Races: true, Cache: filepath.Join(t.TempDir(), "cache")}
	run := func(step string, reused int) {
		t.Helper()
		got, err := Rewrite(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		plain := o
		plain.Cache = ""
		want, err := Rewrite(context.Background(), plain)
		if err != nil {
			t.Fatal(err)
		}
		if got.Reused != reused {
			t.Errorf("%s: %d packages from the cache, want %d", step, got.Reused, reused)
		}
		if !reflect.DeepEqual(got.Files, want.Files) || !reflect.DeepEqual(got.cover, want.cover) || got.Hooks != want.Hooks || len(got.Unhooked) != len(want.Unhooked) {
			t.Errorf("%s: the result is not that of a run without the cache", step)
		}
	}
	change := func(file, from, to string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(text), from) {
			t.Fatalf("%s has no %s: %v", file, from, err)
		}
		write(t, filepath.Join(dir, file), strings.Replace(string(text), from, to, 1))
	}
	run("first", 0)
	run("unchanged", 2)
	change("store/store.go", "s.n++", "s.n += 1")
	run("a function changed", 1)
	change("store/store.go", "func Words() int", "func Words() (n int)")
	run("a declaration changed", 0)
	entries, err := filepath.Glob(filepath.Join(o.Cache, "package", "*"))
	if err != nil || len(entries) == 0 {
		t.Fatalf("no entries: %v", err)
	}
	for _, e := range entries {
		write(t, e, "{")
	}
	run("damaged", 0)
	run("repaired", 2)
	o.Spec = &atomicity.Spec{Version: 1, Packages: []*atomicity.Package{{
		Path: "example.com/tested/cmd", Variables: []*atomicity.Variable{{Name: "example.com/tested/store.odd"}},
	}}}
	run("a package names another one's variable", 0)
	run("and again", 2)
	o.Spec = nil
	o.Races = false
	run("without hooks", 0)
}

// TestDeclaredBy checks that a package's key knows what others have of variables that it
// reaches through the standard library alone.
func TestDeclaredBy(t *testing.T) {
	k := &keys{byPath: map[string]*listed{
		"ex/p":          {ImportPath: "ex/p", Imports: []string{"net/http"}},
		"net/http":      {ImportPath: "net/http", Standard: true, Imports: []string{"net/url"}},
		"net/url":       {ImportPath: "net/url", Standard: true},
		"gopkg.in/y.v3": {ImportPath: "gopkg.in/y.v3"},
	}}
	below := map[string]bool{}
	k.collect("ex/p", below)
	for name, want := range map[string]bool{"net/url.URL.Path": true, "ex/p.T.n": true, "gopkg.in/y.v3.Node.n": false, "T.n": false, "url.URL.Path": false} {
		spec := &atomicity.Package{Path: "ex/r", Variables: []*atomicity.Variable{{Name: "own"}, {Name: name}}}
		got := declaredBy(below, spec)
		if (got != nil) != want || want && (len(got.Variables) != 1 || got.Path != "ex/r") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	below["gopkg.in/y.v3"] = true
	if declaredBy(below, &atomicity.Package{Variables: []*atomicity.Variable{{Name: "gopkg.in/y.v3.Node.n"}}}) == nil {
		t.Error("a path with a dot in its last part")
	}
}

// TestTrim checks what is removed and what stays.
func TestTrim(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	put := func(name string, age time.Duration) {
		file := filepath.Join(dir, name)
		write(t, file, "1234567890")
		for f := file; f != filepath.Join(dir, "overlay") && f != filepath.Join(dir, "package") && f != filepath.Join(dir, "goroot") && f != filepath.Join(dir, "refine"); f = filepath.Dir(f) {
			if err := os.Chtimes(f, now.Add(-age), now.Add(-age)); err != nil {
				t.Fatal(err)
			}
		}
	}
	put("overlay/fresh/a.go", time.Minute)
	put("overlay/recent/a.go", 2*time.Hour)
	put("overlay/older/a.go", 3*time.Hour)
	put("package/ancient.json", 31*24*time.Hour)
	put("goroot/.new-1/x", 40*24*time.Hour)
	put("refine/unfinished.jsonl", 29*24*time.Hour)
	put("refine/forgotten.jsonl", 31*24*time.Hour)
	trim(dir, now, 25)
	for name, want := range map[string]bool{
		"overlay/fresh": true, "overlay/recent": true, "overlay/older": false, "package/ancient.json": false, "goroot/.new-1": false,
		"refine/unfinished.jsonl": true, "refine/forgotten.jsonl": false,
	} {
		if exists(filepath.Join(dir, name)) != want {
			t.Errorf("%s: there is %v, want %v", name, !want, want)
		}
	}
	trim(dir, now.Add(time.Hour), 0)
	if !exists(filepath.Join(dir, "overlay/recent")) {
		t.Error("trimmed twice a day")
	}
	trim(dir, now.Add(25*time.Hour), 0)
	if exists(filepath.Join(dir, "overlay/fresh")) {
		t.Error("not trimmed on the next day")
	}
}

// TestParallelInstall has several runs fill an empty cache at once, in which
// others were killed.
func TestParallelInstall(t *testing.T) {
	dir, cache := module(t, "tested"), t.TempDir()
	write(t, filepath.Join(cache, "goroot", ".new-9", "src", "atomrace", "heal", "half.go"), "pack")
	r, err := Rewrite(context.Background(), Options{Dir: dir, Races: true, Patterns: []string{"./cmd"}, HealSource: os.DirFS("../heal")})
	if err != nil {
		t.Fatal(err)
	}
	injections := make([]*Injection, 3)
	var wg sync.WaitGroup
	for i := range injections {
		wg.Go(func() {
			var err error
			if injections[i], err = r.Install(cache); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	for _, i := range injections {
		if *i != *injections[0] {
			t.Errorf("%+v and %+v", *i, *injections[0])
		}
	}
	if out, err := goRun(dir, injections[0], "run", "./cmd"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestBuildID compares the note in this program with what go tool buildid says.
func TestBuildID(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("programs are no ELF files")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want, err := exec.Command("go", "tool", "buildid", self).Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if id := buildID(f); !bytes.Contains(id, bytes.TrimSpace(want)) {
		t.Errorf("the note is %q, want %q", id, want)
	}
	text, err := os.Open("units.go")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	if id := buildID(text); id != nil {
		t.Errorf("a text file has the note %q", id)
	}
}

// TestLoaded checks that packages that were loaded before are not loaded again: a
// change made since is not seen.
func TestLoaded(t *testing.T) {
	dir := module(t, "tested")
	ctx := context.Background()
	o := Options{Dir: dir, Patterns: []string{"./..."}, Races: true}
	want, err := Rewrite(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if o.Selected, err = Select(ctx, o); err != nil {
		t.Fatal(err)
	}
	o.Loaded, err = packages.Load(&packages.Config{Mode: packages.LoadSyntax | LoadMode, Dir: dir}, o.Selected.Packages...)
	if err != nil {
		t.Fatal(err)
	}
	for file := range want.Files {
		write(t, file, "does not even parse")
	}
	got, err := Rewrite(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Files) < 2 || !reflect.DeepEqual(got.Files, want.Files) || got.Hooks != want.Hooks {
		t.Errorf("%d files rewritten, want the %d of before", len(got.Files), len(want.Files))
	}
	o.Tests = true // then the tests are needed as well
	if _, err := Rewrite(ctx, o); err == nil {
		t.Error("the packages were not loaded with their tests")
	}
}
