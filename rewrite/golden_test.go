package rewrite

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// bench is a module with one program for each file of testdata/golden, to be
// rewritten, built and run all at once.
type bench struct {
	from     string // the folder of the programs and their specs
	dir      string
	programs []string
}

func newBench(t *testing.T) bench {
	t.Helper()
	return benchOf(t, "testdata/golden")
}

func benchOf(t *testing.T, dir string) bench {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	b := bench{from: dir, dir: t.TempDir()}
	write(t, filepath.Join(b.dir, "go.mod"), "module golden\n\ngo 1.26\n")
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".go")
		b.programs = append(b.programs, name)
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(b.dir, name, name+".go"), string(text))
	}
	return b
}

// benchWith is a module with the program p alone, in the file.
func benchWith(t *testing.T, program string) (b bench, file string) {
	t.Helper()
	b = bench{dir: t.TempDir(), programs: []string{"p"}}
	write(t, filepath.Join(b.dir, "go.mod"), "module golden\n\ngo 1.26\n")
	file = filepath.Join(b.dir, "p", "main.go")
	write(t, file, program)
	return b, file
}

// specOf is the spec with the text.
func specOf(t *testing.T, text string) *atomicity.Spec {
	t.Helper()
	spec, err := atomicity.Parse("atomicity.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// spec reads the specs that stand beside the programs.
func (b bench) spec(t *testing.T) *atomicity.Spec {
	t.Helper()
	spec := atomicity.New()
	for _, name := range b.programs {
		file := filepath.Join(b.from, name+".yaml")
		if _, err := os.Stat(file); err != nil {
			continue
		}
		s, err := atomicity.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		spec.Packages = append(spec.Packages, s.Packages...)
	}
	return spec
}

// everything is a spec that watches every variable of the programs.
func (b bench) everything(t *testing.T) *atomicity.Spec {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: b.dir}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	spec := atomicity.New()
	for _, p := range pkgs {
		seen := map[string]bool{}
		entry := &atomicity.Package{Path: p.PkgPath}
		accesses := access.Enumerate(p.Fset, p.Syntax, p.Types, p.TypesInfo)
		for _, f := range accesses.Functions {
			for _, a := range f.Accesses {
				name := accesses.Name(a.Var)
				if a.Var.Obj.Pkg() == p.Types && !seen[name] {
					seen[name] = true
					entry.Variables = append(entry.Variables, &atomicity.Variable{Name: name})
				}
			}
		}
		spec.Packages = append(spec.Packages, entry)
	}
	return spec
}

func (b bench) rewrite(t *testing.T, o Options) *Result {
	t.Helper()
	o.Dir, o.Patterns, o.HealSource = b.dir, []string{"./..."}, os.DirFS("../heal")
	r, err := Rewrite(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGolden compares the readable form of each rewritten program with the
// golden file beside it. Programs with a spec have only its hooks; the others
// are watched throughout, but for those about what only -races hooks, or does not.
func TestGolden(t *testing.T) {
	b := newBench(t)
	some := b.spec(t)
	all := b.everything(t)
	for i, p := range all.Packages {
		if s := some.Package(p.Path); s != nil {
			all.Packages[i] = s
		}
	}
	r := b.rewrite(t, Options{Spec: all, Readable: true})
	for _, s := range r.Stale {
		t.Errorf("stale: %s", s)
	}
	races := b.rewrite(t, Options{Races: true, Readable: true})
	for _, name := range []string{"bulk", "repeated"} {
		file := filepath.Join(b.dir, name, name+".go")
		r.Files[file] = races.Files[file]
	}
	b.compare(t, "golden", r)
}

// compare holds the rewritten programs against the files in the folder of testdata.
func (b bench) compare(t *testing.T, folder string, r *Result) {
	t.Helper()
	for _, name := range b.programs {
		golden := filepath.Join("testdata", folder, name+".golden")
		got := r.Files[filepath.Join(b.dir, name, name+".go")]
		if *update {
			write(t, golden, string(got))
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the rewritten program is not as in %s; if it is right, run go test ./rewrite -update", name, golden)
		}
	}
}

// TestMeaning builds the programs natively and with hooks of each kind, and
// compares what they print, their exit codes, and the lines of their panics.
func TestMeaning(t *testing.T) {
	b := newBench(t)
	native := b.build(t, "native", nil)
	want := map[string]outcome{}
	for _, name := range b.programs {
		want[name] = run(t, filepath.Join(native, name))
	}
	for _, variant := range []struct {
		name    string
		options Options
		flags   []string
	}{
		{"races", Options{Races: true, Thin: true}, nil},
		{"watched", Options{Spec: b.everything(t), Thin: true}, nil},
		{"spec", Options{Spec: b.spec(t)}, nil},
		{"both", Options{Spec: b.spec(t), Races: true, Thin: true}, []string{"-gcflags=-l"}}, // a hook that is not inlined must compile, too
	} {
		t.Run(variant.name, func(t *testing.T) {
			r := b.rewrite(t, variant.options)
			if variant.options.Thin && r.Hooks.Thinned < 20 {
				t.Errorf("only %d functions go without hooks", r.Hooks.Thinned)
			}
			injection, err := r.Install(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			hooked := b.build(t, variant.name, injection, variant.flags...)
			for _, name := range b.programs {
				for _, budget := range budgets(variant.options) {
					if got := run(t, filepath.Join(hooked, name), budget); got != want[name] {
						t.Errorf("%s, %s:\n%+v\nwithout hooks:\n%+v", name, budget, got, want[name])
					}
				}
			}
		})
	}
}

// budgets lets a program run with its hooks and, if it can do without, without.
func budgets(o Options) []string {
	if o.Thin {
		return []string{"budget=none", "budget=0%"}
	}
	return []string{"budget=none"}
}

func (b bench) build(t *testing.T, name string, injection *Injection, flags ...string) string {
	t.Helper()
	out := filepath.Join(b.dir, "bin", name) + string(filepath.Separator)
	tool, args := "go", []string{"build", "-ldflags=-w"} // what debuggers need is half of the linker's work
	env := os.Environ()
	if injection != nil {
		tool = injection.Go
		args = append(args, injection.Flags()...)
		env = append(env, injection.Env()...)
	}
	cmd := exec.Command(tool, append(append(args, flags...), "-o", out, "./...")...)
	cmd.Dir, cmd.Env = b.dir, env
	if err := os.MkdirAll(out, 0o777); err != nil {
		t.Fatal(err)
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	return out
}

type outcome struct {
	stdout string
	code   int
	stack  string
}

var (
	frames   = regexp.MustCompile(`(?m)^(golden/\S+|main\.\S+?)\(.*\)\n\t(\S+\.go:\d+)`)
	literals = regexp.MustCompile(`\.func\d+`)
	panics   = regexp.MustCompile(`(?m)^panic: .*`)
)

// run runs a program with reports off and the settings, and returns its output and,
// of a panic, the functions and lines.
func run(t *testing.T, file string, settings ...string) outcome {
	t.Helper()
	cmd := exec.Command(file) // the numbers of function literals are not kept
	cmd.Env = append(os.Environ(), "ATOMRACE=summary=0 log_path="+filepath.Join(t.TempDir(), "log")+" "+strings.Join(settings, " "))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	o := outcome{stdout: literals.ReplaceAllString(stdout.String(), ".func"), code: cmd.ProcessState.ExitCode()}
	if err != nil {
		lines := panics.FindAllString(stderr.String(), -1)
		for _, m := range frames.FindAllStringSubmatch(stderr.String(), -1) {
			lines = append(lines, literals.ReplaceAllString(m[1], ".func")+" "+m[2])
		}
		o.stack = strings.Join(lines, "\n")
	}
	return o
}
