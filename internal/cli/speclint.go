package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/curate"
)

var specLintCommand = command{
	name:    "spec lint",
	usage:   "[-code=false] [-strict] [-json] [file...]",
	summary: "say what is wrong in the file, and what is gone from the code",
	help: `Lint prints one line for each problem: what does not load, what a reviewer would
ask about, and sections whose code is not there any more, each with the nearest
code that is.

	file:line:column: what is wrong; what to do (check)

The checks are syntax (the file does not load), stale (the code is gone),
duplicate, and the warnings benign, ignored, loose, pattern and empty. A stale
section is a mistake when it is confirmed, else a warning, which 'atomrace spec
prune' can remove. Lint exits with 0 when there are at most warnings, 3 when
there are mistakes, and 1 when the packages could not be loaded. Without a file it
lints the nearest atomicity.yaml.

	-code=false   do not look at the code, only at the file
	-strict       warnings are mistakes too
	-json         print a list of objects, with the same exit status`,
	run: specRun(runSpecLint),
}

func runSpecLint(ctx context.Context, env *environment, args []string) error {
	f := newSpecFlags("lint").withFile().withJSON()
	code := f.Bool("code", true, "")
	strict := f.Bool("strict", false, "")
	files, err := f.arguments(env, args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		file, err := f.find()
		if err != nil {
			return err
		}
		files = []string{file}
	}
	problems := []atomicity.Problem{}
	for _, file := range files {
		found, err := lintFile(ctx, file, *code)
		if err != nil {
			return err
		}
		problems = append(problems, found...)
	}
	failed := slices.ContainsFunc(problems, func(p atomicity.Problem) bool { return !p.Warning || *strict })
	if f.json {
		if err := printJSON(env.stdout, problems); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			warning := ""
			if p.Warning && !*strict {
				warning = "warning: "
			}
			fmt.Fprintf(env.stdout, "%s: %s%s (%s)\n", p.Position, warning, p.Msg, p.Check)
		}
	}
	if failed {
		return exitError(3)
	}
	return nil
}

// lintFile returns the problems of one file, in its order.
func lintFile(ctx context.Context, file string, code bool) ([]atomicity.Problem, error) {
	spec, err := loadSpec(file)
	if err != nil {
		return syntaxProblems(err)
	}
	problems := spec.Lint()
	if code {
		stale, err := staleSections(ctx, spec)
		if err != nil {
			return nil, err
		}
		for _, s := range stale {
			problems = append(problems, s.Problem)
		}
	}
	slices.SortStableFunc(problems, func(a, b atomicity.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return problems, nil
}

// syntaxProblems turns the errors of a file that was read and does not load
// into problems; other errors stay errors.
func syntaxProblems(err error) ([]atomicity.Problem, error) {
	var list atomicity.Errors
	if one := (*atomicity.Error)(nil); !errors.As(err, &list) && errors.As(err, &one) && one.Line > 0 {
		list = atomicity.Errors{one}
	}
	if list == nil {
		return nil, err
	}
	var problems []atomicity.Problem
	for _, e := range list {
		msg := e.Msg
		if e.Path != "" {
			msg = e.Path + ": " + msg
		}
		problems = append(problems, atomicity.Problem{
			Position: atomicity.Position{File: e.File, Line: e.Line, Column: e.Column},
			Check:    "syntax", Path: e.Path, Msg: msg,
		})
	}
	return problems, nil
}

// staleSections compares the spec with the code of its packages.
func staleSections(ctx context.Context, spec *atomicity.Spec) ([]curate.Stale, error) {
	code, err := specCode(ctx, spec)
	if err != nil {
		return nil, err
	}
	stale := curate.Check(spec, code)
	// Test files are loaded only when they can make a difference.
	var again []string
	for _, s := range stale {
		if path := s.Package.Path; len(code.Packages[path]) > 0 && !slices.Contains(again, path) {
			again = append(again, path)
		}
	}
	if len(again) == 0 {
		return stale, nil
	}
	if err := loadCode(ctx, &code, again, true); err != nil {
		return nil, err
	}
	return curate.Check(spec, code), nil
}

// specCode loads the packages of the spec that exist, without their tests.
func specCode(ctx context.Context, spec *atomicity.Spec) (curate.Code, error) {
	code := curate.Code{Packages: map[string][]*access.Package{}}
	var paths []string
	for _, p := range spec.Packages {
		paths = append(paths, p.Path)
	}
	exist, err := existing(ctx, paths)
	if err != nil {
		return code, err
	}
	if len(exist) < len(paths) {
		if code.Known, err = listPackages(ctx, "./..."); err != nil {
			return code, err
		}
	}
	return code, loadCode(ctx, &code, exist, false)
}

// existing returns the packages of the list that the go command finds. A path
// of the package of external tests stands for the package it tests.
func existing(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var ask []string
	for _, path := range paths {
		ask = append(ask, strings.TrimSuffix(path, "_test"))
	}
	found, err := listPackages(ctx, ask...)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, path := range found {
		known[path] = true
	}
	var exist []string
	for i, path := range paths {
		if known[ask[i]] {
			exist = append(exist, path)
		}
	}
	return exist, nil
}

// listPackages returns the import paths of the patterns that stand for packages.
func listPackages(ctx context.Context, patterns ...string) ([]string, error) {
	args := append([]string{"list", "-e", "-find", "-f", "{{if not .Error}}{{.ImportPath}}{{end}}", "--"}, patterns...)
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if err != nil {
		if _, missing := moduleRoot("."); missing != nil {
			return nil, missing
		}
		return nil, fmt.Errorf("go list: %w", goListError(err))
	}
	return strings.Fields(string(out)), nil
}

// goListError is the first line of what the go command says.
func goListError(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		line, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		return errors.New(line)
	}
	return err
}

// loadCode adds the packages with the import paths to code.
func loadCode(ctx context.Context, code *curate.Code, paths []string, tests bool) error {
	if len(paths) == 0 {
		return nil
	}
	g := &goArgs{}
	for _, path := range paths {
		if path = strings.TrimSuffix(path, "_test"); !slices.Contains(g.Packages, path) {
			g.Packages = append(g.Packages, path)
		}
	}
	if err := g.settle(); err != nil {
		return err
	}
	pkgs, err := loadWith(ctx, g, packages.LoadSyntax, tests)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		if p.Types == nil || strings.HasSuffix(p.ID, ".test") {
			continue
		}
		path := p.Types.Path()
		code.Packages[path] = append(code.Packages[path], access.Enumerate(p.Fset, p.Syntax, p.Types, p.TypesInfo))
	}
	return nil
}
