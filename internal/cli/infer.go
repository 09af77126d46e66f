package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/analyzers/section"
	"github.com/atomrace/atomrace/atomicity"
)

var inferCommand = command{
	name:    "infer",
	usage:   "[-o file] [packages]",
	summary: "write or update atomicity.yaml from what the analyzers find",
	help: `Infer runs the analyzers over the packages (default: ./...) and merges every
shared section that is not protected into atomicity.yaml at the root of the
module. Sections that are there already keep their status, reason, healing and
notes, and comments stay where they are; sections whose code is gone are listed
and left for a person to delete.

	-o file   write to this file instead`,
	run: runInfer,
}

func runInfer(ctx context.Context, env *environment, args []string) error {
	flags := flag.NewFlagSet("infer", flag.ContinueOnError)
	flags.SetOutput(new(discard))
	output := flags.String("o", "", "")
	if err := flags.Parse(args); err != nil {
		return usagef("%v (see 'atomrace help infer')", err)
	}
	patterns := flags.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	module, err := moduleRoot(".")
	if err != nil {
		return err
	}
	file := *output
	if file == "" {
		file = filepath.Join(module, atomicity.FileName)
	}
	spec, err := loadSpec(file)
	if errors.Is(err, os.ErrNotExist) {
		spec, err = atomicity.New(), nil
	}
	if err != nil {
		return err
	}
	g := &goArgs{Packages: patterns}
	if err := g.settle(); err != nil {
		return err
	}
	inferred, err := infer(ctx, g)
	if err != nil {
		return err
	}
	report := spec.Merge(inferred)
	if err := spec.Save(file); err != nil {
		return err
	}
	for _, id := range report.Stale {
		fmt.Fprintf(env.stderr, "atomrace infer: %s: not found in the code any more; delete it or mend its function and code\n", id)
	}
	fmt.Fprintf(env.stdout, "%s: %d added, %d kept, %d updated, %d stale\n", relative(file),
		len(report.Added), len(report.Kept), len(report.Updated), len(report.Stale))
	return nil
}

// infer returns a spec with every section that the analyzers propose for the
// packages.
func infer(ctx context.Context, g *goArgs) (*atomicity.Spec, error) {
	pkgs, err := load(ctx, g, packages.LoadSyntax)
	if err != nil {
		return nil, err
	}
	graph, err := checker.Analyze(analyzers.All(), pkgs, nil)
	if err != nil {
		return nil, err
	}
	var candidates []*section.Candidate
	analyzed := map[string]bool{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			return nil, fmt.Errorf("%s: analyzer %s: %w", act.Package.PkgPath, act.Analyzer.Name, act.Err)
		}
		analyzed[act.Package.Types.Path()] = true
		found, ok := act.Result.([]*section.Candidate)
		if ok {
			candidates = append(candidates, found...)
		}
	}
	return specOf(candidates, analyzed), nil
}

// specOf groups the candidates by package and variable. A package that was
// analyzed twice, with and without its tests, counts once; one without
// candidates is listed too, so that merging tells what is gone from it.
func specOf(candidates []*section.Candidate, analyzed map[string]bool) *atomicity.Spec {
	spec := atomicity.New()
	packages := map[string]*atomicity.Package{}
	variables := map[[2]string]*atomicity.Variable{}
	seen := map[[2]string]bool{}
	for path := range analyzed {
		packages[path] = &atomicity.Package{Path: path}
		spec.Packages = append(spec.Packages, packages[path])
	}
	for _, c := range candidates {
		if c.Section == nil || seen[[2]string{c.Package, c.Section.ID}] {
			continue
		}
		seen[[2]string{c.Package, c.Section.ID}] = true
		p := packages[c.Package]
		if p == nil {
			p = &atomicity.Package{Path: c.Package}
			packages[c.Package] = p
			spec.Packages = append(spec.Packages, p)
		}
		v := variables[[2]string{c.Package, c.Name}]
		if v == nil {
			v = &atomicity.Variable{Name: c.Name, Type: c.Type}
			variables[[2]string{c.Package, c.Name}] = v
			p.Variables = append(p.Variables, v)
		}
		v.Sections = append(v.Sections, c.Section)
	}
	slices.SortFunc(spec.Packages, func(a, b *atomicity.Package) int { return cmp.Compare(a.Path, b.Path) })
	for _, p := range spec.Packages {
		slices.SortFunc(p.Variables, func(a, b *atomicity.Variable) int { return cmp.Compare(a.Name, b.Name) })
	}
	return spec
}
