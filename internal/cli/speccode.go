package cli

import (
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

// staleSections compares the spec with the code of its packages.
func staleSections(ctx context.Context, spec *atomicity.Spec) ([]curate.Stale, error) {
	found, err := findPackages(ctx, spec, spec.File())
	if err != nil {
		return nil, err
	}
	code, err := found.load(ctx)
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
	for _, in := range found.dirs {
		paths := slices.DeleteFunc(slices.Clone(in.paths), func(path string) bool { return !slices.Contains(again, path) })
		if err := loadCode(ctx, &code, in.dir, paths, true, found.flags...); err != nil {
			return nil, err
		}
	}
	return curate.Check(spec, code), nil
}

// specCode loads the packages of the spec that exist, without their tests; the spec
// is that of the file, or a part of it. The flags are such that matter for loading.
func specCode(ctx context.Context, spec *atomicity.Spec, file string, flags ...string) (curate.Code, error) {
	found, err := findPackages(ctx, spec, file, flags...)
	if err != nil {
		return curate.Code{}, err
	}
	return found.load(ctx)
}

// foundPackages are the packages of a spec that exist, by the directory in which the
// go command knows them: empty for the working directory, else that of a module
// below the file.
type foundPackages struct {
	dirs  []packagesIn
	known []string // others, if there is one that does not exist
	flags []string // with which they are loaded
}

type packagesIn struct {
	dir   string
	paths []string
}

// findPackages looks for the packages of the spec, which is that of the file or a
// part of it: in the working directory, and in the modules below the file.
func findPackages(ctx context.Context, spec *atomicity.Spec, file string, flags ...string) (*foundPackages, error) {
	var paths []string
	for _, p := range spec.Packages {
		paths = append(paths, p.Path)
	}
	found := &foundPackages{flags: flags}
	there, err := existing(ctx, "", paths, flags...)
	_, nowhere := moduleRoot(".")
	if err != nil && nowhere == nil {
		return nil, err
	}
	found.dirs = []packagesIn{{"", there}}
	left := slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(there, path) })
	if len(left) == 0 {
		return found, nil
	}
	modules := &inForce{}
	if file != "" {
		modules.modules = modulesBelow(fileDir(file))
	}
	if nowhere != nil && len(modules.modules) == 0 {
		return nil, nowhere
	}
	for _, m := range modules.modules {
		mine := slices.DeleteFunc(slices.Clone(left), func(path string) bool {
			dir, ok := modules.dir(path)
			return !ok || !below(m.dir, dir) || moduleAbove(dir) != m.dir
		})
		if len(mine) == 0 {
			continue
		}
		if there, err = existing(ctx, m.dir, mine, flags...); err != nil {
			return nil, err
		}
		found.dirs = append(found.dirs, packagesIn{m.dir, there})
		left = slices.DeleteFunc(left, func(path string) bool { return slices.Contains(there, path) })
	}
	if len(left) > 0 && nowhere == nil {
		if found.known, err = listPackages(ctx, "", []string{"./..."}, flags...); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// has reports whether the package exists.
func (f *foundPackages) has(path string) bool {
	return slices.ContainsFunc(f.dirs, func(in packagesIn) bool { return slices.Contains(in.paths, path) })
}

// load loads the packages, without their tests.
func (f *foundPackages) load(ctx context.Context) (curate.Code, error) {
	code := curate.Code{Packages: map[string][]*access.Package{}, Known: f.known}
	for _, in := range f.dirs {
		if err := loadCode(ctx, &code, in.dir, in.paths, false, f.flags...); err != nil {
			return code, err
		}
	}
	return code, nil
}

// existing returns the packages of the list that the go command finds in dir. A
// path of the package of external tests stands for the package it tests.
func existing(ctx context.Context, dir string, paths []string, flags ...string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var ask []string
	for _, path := range paths {
		ask = append(ask, strings.TrimSuffix(path, "_test"))
	}
	found, err := listPackages(ctx, dir, ask, flags...)
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

// listPackages returns the import paths of the patterns that stand for packages in
// dir.
func listPackages(ctx context.Context, dir string, patterns []string, flags ...string) ([]string, error) {
	args := slices.Concat([]string{"list", "-e", "-find", "-f", "{{if not .Error}}{{.ImportPath}}{{end}}"}, flags, []string{"--"}, patterns)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		if _, missing := moduleRoot(dir); missing != nil {
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

// loadCode adds the packages with the import paths to code, as the go command finds
// them in dir.
func loadCode(ctx context.Context, code *curate.Code, dir string, paths []string, tests bool, flags ...string) error {
	if len(paths) == 0 {
		return nil
	}
	g := &goArgs{Dir: dir, Flags: flags}
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
