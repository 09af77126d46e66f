package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/atomrace/atomrace"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/fuzz"
	"github.com/atomrace/atomrace/rewrite"
	"github.com/atomrace/atomrace/sched"
)

// fuzzed is a controlled build of one package.
type fuzzed struct {
	dir      string // temporary, to be removed
	path     string // import path
	code     string
	programs []fuzz.Program // one for each test
	sections []*fuzz.Section
}

// refusedFlags are go flags that have no meaning in a controlled build.
var refusedFlags = map[string]string{
	"cover": "coverage is not counted under the scheduler", "coverprofile": "coverage is not counted under the scheduler",
	"coverpkg": "coverage is not counted under the scheduler", "bench": "benchmarks are not run", "fuzz": "Go's fuzzing is not run",
	"count": "use -n", "parallel": "tests run under the scheduler, one goroutine at a time", "exec": "the test is run directly",
	"c": "the binary is of no use without 'atomrace fuzz'", "o": "the binary is of no use without 'atomrace fuzz'", "list": "use 'go test -list'",
}

// testBinaryFlags are flags of go test that concern the test binary.
var testBinaryFlags = []string{"run", "skip", "short", "v"}

// build makes the binary and finds its tests.
func (f *fuzzing) build(ctx context.Context, env *environment, args []string) (b *fuzzed, err error) {
	g, err := splitGoArgs("test", args)
	if err != nil {
		return nil, err
	}
	if err := g.settle(); err != nil {
		return nil, err
	}
	if g.Rest, err = afterArgs(g.Rest); err != nil {
		return nil, err
	}
	for _, flag := range g.Flags {
		if why := refusedFlags[flagName(flag)]; why != "" {
			return nil, fmt.Errorf("-%s cannot be used: %s", flagName(flag), why)
		}
	}
	p, err := onePackage(g)
	if err != nil {
		return nil, err
	}
	_, hasRun := g.flag("run")
	isProgram := p.Name == "main" && !hasRun
	if !isProgram && len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
		return nil, fmt.Errorf("%s has no tests", p.ImportPath)
	}
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	what := rewrite.Options{
		Dir: g.Dir, Patterns: g.Packages, Deps: f.deps, Std: f.std, Tests: !isProgram, BuildFlags: g.load(), Env: g.env,
		Races: true, Control: true, SchedSource: atomrace.SchedSource(), Cache: cache,
	}
	var found map[string]bool
	if f.sections {
		plain := what // sections are the program's, not the library's that is controlled with it
		plain.Control, plain.HealSource = false, atomrace.HealSource()
		if what.Spec, found, err = specFor(ctx, f.specFile, g, &plain); err != nil {
			return nil, err
		}
	}
	result, err := rewrite.Rewrite(ctx, what)
	if err != nil {
		return nil, g.because(err)
	}
	if err := staleError(what.Spec, found, result.Stale); err != nil {
		return nil, err
	}
	sections, err := f.fuzzSections(what.Spec, p, result.Unhooked)
	if err != nil {
		return nil, err
	}
	injection, err := result.Install(cache)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "atomrace-fuzz-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	b = &fuzzed{dir: dir, path: p.ImportPath, code: result.Code, sections: sections}
	in := &instrumented{goArgs: g, injection: injection}
	binary := filepath.Join(b.dir, "program")
	program := fuzz.Program{Path: binary, Dir: p.Dir, Prefixes: p.prefixes(injection),
		Std: withTargets([]string{filepath.Join(injection.Goroot, "src"), filepath.Join(injection.Original, "src")})}
	verb, first := "test", []string{"-c", "-vet=off", "-o", binary}
	if p.Module != nil {
		program.Root = p.Module.Dir
	}
	if isProgram {
		verb, first = "build", []string{"-o", binary}
		program.Dir = g.Dir
	}
	whole := *g // with the flags of the test binary
	in.Flags = in.without(append(testBinaryFlags, "json", "vet", "timeout")...)
	f.command(&whole, in.Flags)
	cmd := in.goCommand(env, verb, append(first, g.Packages...)...)
	cmd.Stdout = env.stderr
	if err := cmd.Run(); err != nil {
		return nil, errors.New("the build failed, see above")
	}
	if isProgram {
		program.Args = g.Rest
		b.programs = []fuzz.Program{program}
		return b, nil
	}
	b.programs, err = testPrograms(ctx, &whole, program)
	return b, err
}

// fuzzSections are the sections of the spec in what the package is built of, those
// that were confirmed first. An error says that there is none of the name that was asked for.
func (f *fuzzing) fuzzSections(spec *atomicity.Spec, built *fuzzPackage, notes []rewrite.Note) ([]*fuzz.Section, error) {
	if spec == nil {
		return nil, nil
	}
	var list []*fuzz.Section
	known := f.section == ""
	for _, first := range []bool{true, false} {
		for p := range spec.Active() {
			s := sched.Section{Package: p.Package.Path, ID: p.Section.ID}
			known = known || f.section == s.ID || f.section == s.String()
			if !built.holds(p.Package.Path) || f.only != nil && !f.only[s.ID] {
				continue
			}
			if confirmed := p.Section.Status == atomicity.Confirmed; confirmed == first {
				called := slices.ContainsFunc(notes, func(n rewrite.Note) bool { return n.Section == s.ID })
				list = append(list, &fuzz.Section{Name: s.String(), Pattern: string(p.Section.Pattern), Doubt: p.Section.Doubted(), Called: called})
			}
		}
	}
	if f.only != nil && len(list) == 0 && !f.pairs {
		return nil, fmt.Errorf("%s: none of the sections that were broken is among those in force for %s", f.pairsFile, built.ImportPath)
	}
	if !known {
		return nil, fmt.Errorf("there is no section %s; 'atomrace spec list' shows those of atomicity.yaml", f.section)
	}
	return list, nil
}

// afterArgs are the arguments after -args; in front of it there is nothing that
// neither this command nor go test knows.
func afterArgs(rest []string) ([]string, error) {
	switch {
	case len(rest) == 0:
		return nil, nil
	case flagName(rest[0]) == "args":
		return rest[1:], nil
	case isFlag(rest[0]):
		return nil, fmt.Errorf("unknown flag %s; arguments of the test or program come after -args", rest[0])
	}
	return nil, fmt.Errorf("%s stands after the flags; packages come before, arguments of the test or program after -args", rest[0])
}

// command notes the parts of a replay's command line that the build and the test need.
func (f *fuzzing) command(g *goArgs, flags []string) {
	for _, word := range slices.Concat(flags, g.Packages) {
		f.more += " " + fuzz.Quote(word)
	}
	if g.isOn("short") {
		f.more += " -short"
	}
	pattern, _ := g.flag("run")
	if i := strings.IndexByte(pattern, '/'); i >= 0 {
		f.subtests = pattern[i:]
	}
	for i, word := range g.Rest {
		if i == 0 {
			f.args = " -args"
		}
		f.args += " " + fuzz.Quote(word)
	}
}

// fuzzPackage is what go list knows of the package.
type fuzzPackage struct {
	ImportPath, Dir, Name     string
	TestGoFiles, XTestGoFiles []string
	Deps                      []string // of the package, with all below
	TestImports, XTestImports []string // of the tests
	Module                    *struct{ Dir string }
	Root                      string
}

// holds says whether the package at the path is a part of the package or its tests,
// or imported by one of them; what only test helpers import is not known.
func (p *fuzzPackage) holds(path string) bool {
	path = strings.TrimSuffix(path, "_test")
	return path == p.ImportPath || slices.Contains(p.Deps, path) || slices.Contains(p.TestImports, path) || slices.Contains(p.XTestImports, path)
}

// onePackage is the package that the command line names.
func onePackage(g *goArgs) (*fuzzPackage, error) {
	args := slices.Concat([]string{"list", "-json=ImportPath,Dir,Name,TestGoFiles,XTestGoFiles,Deps,TestImports,XTestImports,Module,Root"}, g.load(), []string{"--"}, g.Packages)
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = g.Dir, g.env
	out, err := cmd.Output()
	if err != nil {
		return nil, goListError(err)
	}
	var found *fuzzPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		p := new(fuzzPackage)
		if err := d.Decode(p); err != nil {
			return nil, fmt.Errorf("reading the output of go list: %w", err)
		}
		if found != nil {
			return nil, fmt.Errorf("%s matches several packages; name one, for they are fuzzed one by one", strings.Join(g.Packages, " "))
		}
		found = p
	}
	if found == nil {
		return nil, fmt.Errorf("%s matches no package", strings.Join(g.Packages, " "))
	}
	return found, nil
}

// prefixes are the directories that are left out of what is told: they differ from
// machine to machine.
func (p *fuzzPackage) prefixes(i *rewrite.Injection) []string {
	list := []string{i.OriginalModCache}
	if i.ModCache != "" {
		list = append(list, i.ModCache)
	}
	if p.Module != nil {
		list = append(list, p.Module.Dir)
	}
	return withTargets(list)
}

// withTargets adds what links among the directories point to.
func withTargets(list []string) []string {
	for _, dir := range slices.Clone(list) {
		if target, err := filepath.EvalSymlinks(dir); err == nil && target != dir {
			list = append(list, target)
		}
	}
	return list
}

// testPrograms are the tests of the binary that -run matches, each on its own.
func testPrograms(ctx context.Context, g *goArgs, program fuzz.Program) ([]fuzz.Program, error) {
	pattern, ok := g.flag("run")
	if !ok {
		pattern = "."
	}
	top, _, isSub := strings.Cut(pattern, "/")
	cmd := exec.CommandContext(ctx, program.Path, "-test.list", top)
	cmd.Dir = program.Dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		why := strings.TrimSpace(said.String() + string(out))
		return nil, fmt.Errorf("listing the tests: %w: %s", err, why[strings.LastIndexByte(why, '\n')+1:])
	}
	skip, _ := g.flag("skip")
	var skipped *regexp.Regexp
	if skip != "" {
		if skipped, err = regexp.Compile(skip); err != nil {
			return nil, fmt.Errorf("-skip: %w", err)
		}
	}
	var list []fuzz.Program
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		if !strings.HasPrefix(name, "Test") || skipped != nil && skipped.MatchString(name) {
			continue
		}
		p := program
		p.Test = name
		run := "^" + name + "$"
		if isSub {
			run += strings.TrimPrefix(pattern, top)
		}
		p.Args = []string{"-test.run=" + run, "-test.count=1", "-test.timeout=0", "-test.paniconexit0"}
		if g.isOn("short") {
			p.Args = append(p.Args, "-test.short")
		}
		p.Args = append(p.Args, g.Rest...)
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no test matches -run %s", pattern)
	}
	return list, nil
}
