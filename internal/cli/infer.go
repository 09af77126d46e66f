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
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/analyzers/section"
	"github.com/atomrace/atomrace/atomicity"
)

var inferCommand = command{
	name:    "infer",
	usage:   "[-o file] [-pattern list] [packages]",
	summary: "write or update atomicity.yaml from what the analyzers find",
	help: `Infer runs the analyzers over the packages (default: ./...) and merges every
shared section that is not protected into atomicity.yaml at the root of the
module. Sections that are there already keep their status, reason, healing and
notes, and comments stay where they are. Packages, types, variables and functions
that were renamed are followed where that is certain; sections whose code is gone
are listed and left for a person to delete. What a comment //atomrace:ignore silences is not
added.

	-o file         write to this file instead
	-pattern list   add sections of these patterns only, separated by commas:
	                load-and-store and test-and-use (the default), and
	                access-interleaving, which pairs each access with the
	                next one. Most of these pairs mean nothing; add them when
	                test runs are there to tell which do.`,
	run: runInfer,
}

func runInfer(ctx context.Context, env *environment, args []string) error {
	flags := flag.NewFlagSet("infer", flag.ContinueOnError)
	flags.SetOutput(new(discard))
	output := flags.String("o", "", "")
	wanted := flags.String("pattern", "", "")
	if err := flags.Parse(args); err != nil {
		return usagef("%v (see 'atomrace help infer')", err)
	}
	add, err := parsePatterns(*wanted)
	if err != nil {
		return err
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
	inferred, moves, err := infer(ctx, g, spec, add)
	if err != nil {
		return err
	}
	report := spec.Merge(inferred)
	if err := spec.Save(file); err != nil {
		return err
	}
	for _, id := range report.Stale {
		fmt.Fprintf(env.stderr, "atomrace infer: %s: not found in the code any more; 'atomrace spec lint' tells what may be meant, 'atomrace spec prune' deletes candidates\n", id)
	}
	for _, m := range moves {
		fmt.Fprintf(env.stdout, "followed %s: %s %s is %s now\n", m.ID, m.What, m.From, m.To)
	}
	fmt.Fprintf(env.stdout, "%s: %d added, %d kept, %d updated, %d stale\n", relative(file),
		len(report.Added), len(report.Kept), len(report.Updated), len(report.Stale))
	return nil
}

// defaultPatterns are those that infer adds sections of.
var defaultPatterns = []atomicity.Pattern{atomicity.LoadAndStore, atomicity.TestAndUse}

// parsePatterns reads the list of -pattern.
func parsePatterns(list string) ([]atomicity.Pattern, error) {
	if list == "" {
		return defaultPatterns, nil
	}
	var patterns []atomicity.Pattern
	for name := range strings.SplitSeq(list, ",") {
		switch p := atomicity.Pattern(name); p {
		case atomicity.LoadAndStore, atomicity.TestAndUse, atomicity.AccessInterleaving:
			patterns = append(patterns, p)
		default:
			return nil, usagef("-pattern: %q is not load-and-store, test-and-use or access-interleaving", name)
		}
	}
	return patterns, nil
}

// infer returns a spec with every section that the analyzers propose for the
// packages: those that old has, and new ones of the patterns given that nobody
// ignores. What was renamed in the code since has its new name in old then, as
// moves tells.
func infer(ctx context.Context, g *goArgs, old *atomicity.Spec, add []atomicity.Pattern) (spec *atomicity.Spec, moves []atomicity.Move, err error) {
	pkgs, err := load(ctx, g, packages.LoadSyntax)
	if err != nil {
		return nil, nil, err
	}
	list := analyzers.All()
	if slices.Contains(add, atomicity.AccessInterleaving) || hasPattern(old, atomicity.AccessInterleaving) {
		list = append(list, section.Interleavings)
	}
	graph, err := checker.Analyze(list, pkgs, nil)
	if err != nil {
		return nil, nil, err
	}
	var candidates []*section.Candidate
	analyzed := map[string]bool{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			return nil, nil, fmt.Errorf("%s: analyzer %s: %w", act.Package.PkgPath, act.Analyzer.Name, act.Err)
		}
		analyzed[act.Package.Types.Path()] = true
		found, ok := act.Result.([]*section.Candidate)
		if ok {
			candidates = append(candidates, found...)
		}
	}
	unwanted := map[*atomicity.Section]bool{}
	for _, c := range candidates {
		if c.Section != nil && (c.Ignored || !slices.Contains(add, c.Pattern)) {
			unwanted[c.Section] = true
		}
	}
	spec = specOf(candidates, analyzed)
	if len(old.Packages) > 0 {
		code, err := codeNames(ctx, old, pkgs)
		if err != nil {
			return nil, nil, err
		}
		moves = old.Follow(spec, code)
	}
	keepOld(spec, old, unwanted)
	return spec, moves, nil
}

func hasPattern(spec *atomicity.Spec, pattern atomicity.Pattern) bool {
	for p := range spec.All() {
		if p.Section.Pattern == pattern {
			return true
		}
	}
	return false
}

// keepOld takes out of the spec the unwanted sections that old does not have.
func keepOld(spec, old *atomicity.Spec, unwanted map[*atomicity.Section]bool) {
	for _, p := range spec.Packages {
		for _, v := range p.Variables {
			known := make([]*atomicity.Section, len(v.Sections))
			if op := old.Package(p.Path); op != nil {
				if ov := op.Variable(v.Name); ov != nil {
					known = ov.Recognise(v.Sections)
				}
			}
			var kept []*atomicity.Section
			for i, s := range v.Sections {
				if !unwanted[s] || known[i] != nil {
					kept = append(kept, s)
				}
			}
			v.Sections = kept
		}
		p.Variables = slices.DeleteFunc(p.Variables, func(v *atomicity.Variable) bool { return len(v.Sections) == 0 })
	}
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
