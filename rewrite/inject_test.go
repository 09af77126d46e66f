package rewrite

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/atomrace/atomrace/atomicity"
)

// module unpacks a txtar archive of testdata/modules into a new directory.
func module(t *testing.T, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "modules", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "a module") // paths may have spaces
	for _, f := range archive.Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	return dir
}

func inject(t *testing.T, dir string, o Options) (*Result, *Injection) {
	t.Helper()
	o.Dir, o.HealSource = dir, os.DirFS("../heal")
	if o.Patterns == nil {
		o.Patterns = []string{"./..."}
	}
	r, err := Rewrite(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	injection, err := r.Install(filepath.Join(filepath.Dir(dir), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	return r, injection
}

// goRun runs the go command, with the injection unless that is nil.
func goRun(dir string, i *Injection, verb string, args ...string) (string, error) {
	tool, env := "go", os.Environ()
	all := []string{verb}
	if i != nil {
		tool, env = i.Go, append(env, i.Env()...)
		all = append(all, i.Flags()...)
	}
	cmd := exec.Command(tool, append(all, args...)...)
	cmd.Dir, cmd.Env = dir, append(env, "ATOMRACE=summary=0")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestVerbs runs the verbs and flags of the go command that people use on an
// instrumented module with tests of every kind.
func TestVerbs(t *testing.T) {
	dir := module(t, "tested")
	options := Options{Races: true, Tests: true, Defaults: "history=4"}
	_, injection := inject(t, dir, options)
	for _, args := range [][]string{
		{"vet", "./..."},
		{"build", "./..."},
		{"test", "./..."},
		{"test", "-race", "./..."},
		{"test", "-cover", "./..."},
		{"test", "-bench=.", "-benchtime=1x", "./store"}, // -trimpath and -fuzz: goflags.txtar, testflags.txtar
		{"run", "./cmd"},
	} {
		if out, err := goRun(dir, injection, args[0], args[1:]...); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	if out, err := goRun(dir, nil, "list", "-m", "all"); err != nil || strings.TrimSpace(out) != "example.com/tested" {
		t.Errorf("the module has changed: %s", out)
	}
}

// TestFailureLine checks that a failing test points at the line of the source.
func TestFailureLine(t *testing.T) {
	dir := module(t, "tested")
	for _, args := range [][]string{{"-tags=failing"}, {"-tags=failing", "-cover"}} {
		_, injection := inject(t, dir, Options{Races: true, Tests: true, BuildFlags: args[:1]})
		out, err := goRun(dir, injection, "test", append(args, "./store")...)
		if err == nil || !strings.Contains(out, "failing_test.go:12: one is 1") {
			t.Errorf("go test %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestOldModule builds a module whose language version has no generics, with
// build constraints of both forms.
func TestOldModule(t *testing.T) {
	dir := module(t, "old")
	_, injection := inject(t, dir, Options{Races: true, Tests: true})
	want, err := goRun(dir, nil, "test", "-v", "./...")
	if err != nil {
		t.Fatalf("%v\n%s", err, want)
	}
	if out, err := goRun(dir, injection, "test", "-v", "./..."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestOneRuntime checks that a program that imports heal itself has the same
// runtime as the hooks.
func TestOneRuntime(t *testing.T) {
	dir := module(t, "heal")
	_, injection := inject(t, dir, Options{Patterns: []string{"./cmd"}, Races: true})
	if out, err := goRun(dir, injection, "run", "./cmd"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestNoHooks checks that without anything to hook no file changes.
func TestNoHooks(t *testing.T) {
	dir := module(t, "tested")
	r, _ := inject(t, dir, Options{Tests: true})
	for name := range r.Files {
		t.Errorf("%s was rewritten for nothing", name)
	}
}

// TestDeterministic checks that the same input gives the same files, which the
// build cache depends on.
func TestDeterministic(t *testing.T) {
	dir := module(t, "tested")
	a, _ := inject(t, dir, Options{Tests: true, Races: true})
	for range 3 {
		b, _ := inject(t, dir, Options{Tests: true, Races: true})
		if len(a.Files) == 0 || len(a.Files) != len(b.Files) {
			t.Fatalf("%d files, then %d", len(a.Files), len(b.Files))
		}
		for name, text := range a.Files {
			if string(b.Files[name]) != string(text) {
				t.Errorf("%s differs", name)
			}
		}
	}
}

// TestStale checks what is said of a spec for code that is gone.
func TestStale(t *testing.T) {
	dir := module(t, "tested")
	spec, err := atomicity.Load(filepath.Join(dir, "stale.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r, _ := inject(t, dir, Options{Spec: spec})
	var got []string
	for _, s := range r.Stale {
		got = append(got, s.String())
	}
	want := []string{
		"example.com/tested/store: section entry: no entry read in `if s.gone` in (*Store).Put",
		"example.com/tested/store: section function: no function (*Store).Gone that accesses shared variables",
		"example.com/tested/gone: variable Gone.n: no such package",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestCallsOfSeveralVariables checks that a call has a hook for one of the variables
// that the method gets at; sections of the others that begin or end with it are noted,
// and their code is not called gone.
func TestCallsOfSeveralVariables(t *testing.T) {
	dir := module(t, "tested")
	write(t, filepath.Join(dir, "node", "node.go"), `package node

type Node struct{ kind, size int }

func (n *Node) zero() bool { return n.kind == 0 && n.size == 0 }

func (n *Node) set(k int) { n.kind, n.size = k, k }

func Fill(n *Node) {
	if n.zero() {
		n.set(1)
	}
}
`)
	section := `
      - variable: NAME
        sections:
          - id: NAME
            pattern: test-and-use
            function: Fill
            entry: {access: read, code: "if n.zero()", ordinal: 1}
            ends:
              - {access: write, code: "n.set(1)", ordinal: 2, allow: [read]}
            origin: user
            status: confirmed`
	spec, err := atomicity.Parse("atomicity.yaml", []byte("version: 1\npackages:\n  - package: example.com/tested/node\n    variables:"+
		strings.ReplaceAll(section, "NAME", "Node.kind")+strings.ReplaceAll(section, "NAME", "Node.size")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, injection := inject(t, dir, Options{Spec: spec})
	if len(r.Stale) > 0 {
		t.Errorf("called gone: %v", r.Stale)
	}
	if len(r.Unhooked) != 1 || r.Unhooked[0].Variable != "Node.size" {
		t.Errorf("notes: %v, want one about Node.size", r.Unhooked)
	}
	if out, err := goRun(dir, injection, "build", "./node"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestErrors checks that what cannot be loaded is one clear line.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"bad.go", "package tested\n\nvar x int = \"a\"\n", `bad.go:3:13: cannot use "a"`},
		{"bad.go", "package tested\n\nfunc {\n", "bad.go:3:6: "},
		{"go.mod", "modul x\n", "go.mod:1: unknown directive: modul"},
		{"bad.go", "package tested\n\nimport _ \"example.com/none\"\n", "example.com/none"},
	} {
		dir := module(t, "tested")
		write(t, filepath.Join(dir, c.file), c.text)
		_, err := Rewrite(context.Background(), Options{Dir: dir, Patterns: []string{"./..."}, Races: true})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %q: %v, want %s", c.file, c.text, err, c.want)
		}
	}
}

// TestOpenOrder checks that hooks do not fix an order that Go leaves open to the
// compiler, be they for races or for a variable with sections elsewhere.
func TestOpenOrder(t *testing.T) {
	dir := module(t, "order")
	native, err := goRun(dir, nil, "run", ".")
	if err != nil {
		t.Fatal(err)
	}
	watched := &atomicity.Spec{Version: 1, Packages: []*atomicity.Package{{
		Path: "example.com/order", Variables: []*atomicity.Variable{{Name: "T.n"}}}}}
	for _, c := range []struct {
		options  Options
		unhooked int
	}{
		{Options{Races: true}, 5},
		{Options{Spec: watched}, 4},
	} {
		r, injection := inject(t, dir, c.options)
		if hooked, err := goRun(dir, injection, "run", "."); err != nil || hooked != native {
			t.Errorf("%v\n%s\nwithout hooks:\n%s", err, hooked, native)
		}
		if len(r.Unhooked) != c.unhooked {
			t.Errorf("%d reads left alone, want %d: %v", len(r.Unhooked), c.unhooked, r.Unhooked)
		}
	}
}

// TestTrimpath checks that with -trimpath, from wherever it comes, no path of
// this machine gets into the binary.
func TestTrimpath(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library once more")
	}
	dir := module(t, "tested")
	for _, c := range []struct {
		name    string
		goflags string
		flags   []string
	}{
		{"flag", "", []string{"-trimpath"}},
		{"GOFLAGS", "-trimpath -buildvcs=false", nil},
		{"last", "-trimpath=false", []string{"-trimpath=false", "-trimpath=true"}},
	} {
		t.Setenv("GOFLAGS", c.goflags)
		_, injection := inject(t, dir, Options{Races: true, BuildFlags: c.flags})
		binary := filepath.Join(dir, "bin", c.name)
		if out, err := goRun(dir, injection, "build", append(c.flags, "-o", binary, "./cmd")...); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		text, err := os.ReadFile(binary)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "example.com/tested/store/store.go") {
			t.Errorf("%s: the locations are not in the binary", c.name)
		}
		if at := strings.Index(string(text), filepath.Dir(dir)); at >= 0 {
			t.Errorf("%s: the binary holds %q", c.name, text[at:at+80])
		}
	}
}
