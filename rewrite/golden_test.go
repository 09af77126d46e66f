package rewrite

import (
	"bytes"
	"context"
	"flag"
	"fmt"
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
	whole    string // the program that all are parts of, or ""
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

// inOne is a bench whose programs are packages of one, which runs the one it is told: to
// link each takes longer than to build all else of them.
func (b bench) inOne(t *testing.T) bench {
	t.Helper()
	one := bench{from: b.from, dir: t.TempDir(), programs: b.programs, whole: "whole"}
	write(t, filepath.Join(one.dir, "go.mod"), "module golden\n\ngo 1.26\n")
	var imports, cases strings.Builder
	for _, name := range b.programs {
		text, err := os.ReadFile(filepath.Join(b.dir, name, name+".go"))
		if err != nil {
			t.Fatal(err)
		}
		part := strings.Replace(string(text), "package main\n", "package "+name+"\n", 1)
		write(t, filepath.Join(one.dir, name, name+".go"), strings.Replace(part, "\nfunc main() {", "\nfunc Main() {", 1))
		fmt.Fprintf(&imports, "\t%q\n", "golden/"+name)
		fmt.Fprintf(&cases, "\tcase %q:\n\t\t%s.Main()\n", name, name)
	}
	write(t, filepath.Join(one.dir, one.whole, "main.go"),
		fmt.Sprintf("package main\n\nimport (\n\t\"os\"\n\n%s)\n\nfunc main() {\n\tswitch os.Args[1] {\n%s\tdefault:\n\t\tpanic(os.Args[1])\n\t}\n}\n", &imports, &cases))
	return one
}

// command runs the program that was built into the folder.
func (b bench) command(folder, program string) *exec.Cmd {
	if b.whole != "" {
		return exec.Command(filepath.Join(folder, b.whole), program)
	}
	return exec.Command(filepath.Join(folder, program))
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
	return b.watching(t, func(*access.Function, *atomicity.Variable, []*access.Access) {})
}

// watching is the same, with what add puts into each variable for the accesses of a
// function to it.
func (b bench) watching(t *testing.T, add func(*access.Function, *atomicity.Variable, []*access.Access)) *atomicity.Spec {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: b.dir}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	spec := atomicity.New()
	for _, p := range pkgs {
		seen := map[string]*atomicity.Variable{}
		entry := &atomicity.Package{Path: p.PkgPath}
		accesses := access.Enumerate(p.Fset, p.Syntax, p.Types, p.TypesInfo)
		for _, f := range accesses.Functions {
			var order []*atomicity.Variable
			of := map[*atomicity.Variable][]*access.Access{}
			for _, a := range f.Accesses {
				if a.Var.Obj.Pkg() != p.Types {
					continue
				}
				name := accesses.Name(a.Var)
				v := seen[name]
				if v == nil {
					v = &atomicity.Variable{Name: name}
					seen[name] = v
					entry.Variables = append(entry.Variables, v)
				}
				if of[v] == nil {
					order = append(order, v)
				}
				of[v] = append(of[v], a)
			}
			for _, v := range order {
				add(f, v, of[v])
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
	one := b.inOne(t)
	all := one.outcomes(t)
	apart, each := one, all
	if !testing.Short() { // linking each by itself takes as long as all else
		apart, each = b, b.outcomes(t)
	}
	for _, variant := range []struct {
		name    string
		bench   bench
		want    map[string]outcome
		options Options
		flags   []string
	}{
		{"races", one, all, Options{Races: true, Thin: true}, nil},
		{"watched", one, all, Options{Spec: b.everything(t), Thin: true}, nil},
		{"spec", one, all, Options{Spec: b.spec(t)}, nil},
		{"both", apart, each, Options{Spec: b.spec(t), Races: true, Thin: true}, []string{"-gcflags=-l"}}, // a hook that is not inlined must compile, too
	} {
		t.Run(variant.name, func(t *testing.T) {
			r := variant.bench.rewrite(t, variant.options)
			if variant.options.Thin && r.Hooks.Thinned < 20 {
				t.Errorf("only %d functions go without hooks", r.Hooks.Thinned)
			}
			injection, err := r.Install(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			hooked := variant.bench.build(t, variant.name, injection, variant.flags...)
			for _, name := range b.programs {
				for _, budget := range budgets(variant.options) {
					if got := run(t, variant.bench.command(hooked, name), budget); got != variant.want[name] {
						t.Errorf("%s, %s:\n%+v\nwithout hooks:\n%+v", name, budget, got, variant.want[name])
					}
				}
			}
		})
	}
}

// outcomes are what the programs do natively.
func (b bench) outcomes(t *testing.T) map[string]outcome {
	t.Helper()
	native := b.build(t, "native", nil)
	found := map[string]outcome{}
	for _, name := range b.programs {
		found[name] = run(t, b.command(native, name))
		if found[name].stdout == "" {
			t.Errorf("%s prints nothing", name)
		}
	}
	return found
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
	log    string // what the runtime has said
}

var (
	frames   = regexp.MustCompile(`(?m)^(golden/\S+|main\.\S+?)\(.*\)\n\t(\S+\.go:\d+)`)
	literals = regexp.MustCompile(`\.func\d+`)
	panics   = regexp.MustCompile(`(?m)^panic: .*`)
)

// run runs a program with reports off and the settings, and returns its output and,
// of a panic, the functions and lines; the numbers of function literals are not kept.
func run(t *testing.T, cmd *exec.Cmd, settings ...string) outcome {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	cmd.Env = append(os.Environ(), "ATOMRACE=summary=0 log_path="+log+" "+strings.Join(settings, " "))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	o := outcome{stdout: literals.ReplaceAllString(stdout.String(), ".func"), code: cmd.ProcessState.ExitCode()}
	if text, err := os.ReadFile(fmt.Sprint(log, ".", cmd.Process.Pid)); err == nil {
		o.log = string(text)
	}
	if err != nil {
		lines := panics.FindAllString(stderr.String(), -1)
		for _, m := range frames.FindAllStringSubmatch(stderr.String(), -1) {
			lines = append(lines, literals.ReplaceAllString(m[1], ".func")+" "+m[2])
		}
		o.stack = strings.Join(lines, "\n")
	}
	return o
}
