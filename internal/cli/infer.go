package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
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
	usage:   "[-o file] [-pattern list] [-tags list] [packages]",
	summary: "write or update atomicity.yaml from what the analyzers find",
	help: `Infer runs the analyzers over the packages (default: ./...) and merges every
shared section that is not protected into atomicity.yaml: the nearest one between
the package and the root of its module, or a new one at that root. Sections that
are there already keep their status, reason, healing and notes, and comments stay
where they are; so do sections that a file farther away has, up to the root of the
repository, which are not added again. Packages, types, variables and functions
that were renamed are followed where that is certain. Sections that are not found
any more are marked, "stale: gone" or, if the code is there but nothing to report,
"stale: not-inferred", and left for a person to delete; who comes back loses the
mark. What a comment //atomrace:ignore silences is not added.

	-o file         write to this file instead, whatever others say
	-pattern list   add sections of these patterns only, separated by commas:
	                load-and-store and test-and-use (the default), and
	                access-interleaving, which pairs each access with the
	                next one. Most of these pairs mean nothing; add them when
	                test runs are there to tell which do
	-tags list      build tags, as for go build`,
	run: runInfer,
}

func runInfer(ctx context.Context, env *environment, args []string) error {
	flags := flag.NewFlagSet("infer", flag.ContinueOnError)
	flags.SetOutput(new(discard))
	output := flags.String("o", "", "")
	wanted := flags.String("pattern", "", "")
	tags := flags.String("tags", "", "")
	if err := flags.Parse(args); err != nil {
		return usagef("%v (see 'atomrace help infer')", err)
	}
	add, err := parsePatterns(*wanted)
	if err != nil {
		return err
	}
	if err := setTags(*tags); err != nil {
		return err
	}
	patterns := flags.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	if _, err := moduleRoot("."); err != nil {
		return err
	}
	g := &goArgs{Packages: patterns}
	if err := g.settle(); err != nil {
		return err
	}
	files := &inferFiles{only: *output, add: add}
	early := atomicity.Files(".") // what is wrong with them had better be said at once
	if *output != "" {
		early = []string{*output}
	}
	for _, file := range early {
		if _, err := files.open(file); err != nil {
			return err
		}
	}
	pkgs, err := load(ctx, g, packages.LoadSyntax)
	if err != nil {
		return err
	}
	if err := files.assign(pkgs); err != nil {
		return err
	}
	return files.update(ctx, env, pkgs)
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
// ignores. What was renamed in the code since has its new name in old then.
func infer(ctx context.Context, g *goArgs, old *atomicity.Spec, add []atomicity.Pattern) (*atomicity.Spec, error) {
	pkgs, err := load(ctx, g, packages.LoadSyntax)
	if err != nil {
		return nil, err
	}
	return inferIn(ctx, pkgs, old, add)
}

func inferIn(ctx context.Context, pkgs []*packages.Package, old *atomicity.Spec, add []atomicity.Pattern) (*atomicity.Spec, error) {
	found, err := analyze(pkgs, slices.Contains(add, atomicity.AccessInterleaving) || hasPattern(old, atomicity.AccessInterleaving))
	if err != nil {
		return nil, err
	}
	spec := specOf(found.candidates, found.packages)
	if len(old.Packages) > 0 {
		code, err := codeNames(ctx, old, pkgs)
		if err != nil {
			return nil, err
		}
		old.Follow(spec, code.names)
	}
	keepOld(spec, old, found.unwanted(add))
	return spec, nil
}

// analyzed is what the analyzers propose.
type analyzed struct {
	candidates []*section.Candidate
	packages   map[string]bool // those that were looked at
}

func analyze(pkgs []*packages.Package, interleavings bool) (*analyzed, error) {
	list := analyzers.All()
	if interleavings {
		list = append(list, section.Interleavings)
	}
	graph, err := checker.Analyze(list, pkgs, nil)
	if err != nil {
		return nil, err
	}
	found := &analyzed{packages: map[string]bool{}}
	for _, act := range graph.Roots {
		if act.Err != nil {
			return nil, fmt.Errorf("%s: analyzer %s: %w", act.Package.PkgPath, act.Analyzer.Name, act.Err)
		}
		found.packages[act.Package.Types.Path()] = true
		if candidates, ok := act.Result.([]*section.Candidate); ok {
			found.candidates = append(found.candidates, candidates...)
		}
	}
	return found, nil
}

// unwanted are the sections that are not to be added.
func (a *analyzed) unwanted(add []atomicity.Pattern) map[*atomicity.Section]bool {
	unwanted := map[*atomicity.Section]bool{}
	for _, c := range a.candidates {
		if c.Section != nil && (c.Ignored || !slices.Contains(add, c.Pattern)) {
			unwanted[c.Section] = true
		}
	}
	return unwanted
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
