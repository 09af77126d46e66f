package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers/callers"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// memoryLimit is what the garbage collector works harder to stay below while packages are analyzed
// with all that they import, in bytes, unless GOMEMLIMIT says otherwise: without it a very large
// program takes half as much again of memory, and with it more time.
const memoryLimit = 3500 << 20

// sourceFindings runs the analyzers over the packages and everything that they
// import, from source; broken has one line for each package that does not compile.
func sourceFindings(ctx context.Context, o *checkOptions) (found findings, broken []string, err error) {
	if os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	}
	pkgs, err := loadForCheck(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range o.Analyzers {
		name := o.analyzerFlag()
		if a.Flags.Lookup(name) == nil {
			continue // it makes no difference there
		}
		if err := a.Flags.Set(name, "true"); err != nil {
			return nil, nil, err
		}
	}
	found, calls, err := analyzeAll(o.Analyzers, pkgs)
	if err == nil && ctx.Err() == nil {
		err = found.knowing(ctx, nil, calls, o.Doubtful, func(file string, paths []string) (findings, map[string]*shared.Calls, error) {
			var again []*packages.Package
			for _, p := range pkgs {
				if slices.Contains(paths, p.PkgPath) {
					again = append(again, p)
				}
			}
			known := shared.Analyzer.Flags.Lookup(callers.Analyzer.Name).Value
			defer known.Set("")
			if err := known.Set(file); err != nil {
				return nil, nil, err
			}
			return analyzeAll(o.Analyzers, again)
		})
	}
	return found, brokenPackages(pkgs), err
}

// analyzeAll runs the analyzers, and takes what packages say of who calls what out of what they find.
func analyzeAll(list []*analysis.Analyzer, pkgs []*packages.Package) (findings, map[string]*shared.Calls, error) {
	if len(list) > 0 {
		list = append(slices.Clone(list), callers.Analyzer)
	}
	graph, err := checker.Analyze(list, pkgs, nil)
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	if err := graph.PrintJSON(&out); err != nil {
		return nil, nil, err
	}
	found, err := readFindings(&out)
	return found, found.takeCalls(), err
}

// loadForCheck loads the packages; errors inside of them are left to
// brokenPackages. Where a package is there with its own tests, the same files
// without the tests are not looked at again, as go vet does it.
func loadForCheck(ctx context.Context, o *checkOptions) ([]*packages.Package, error) {
	mode := packages.LoadSyntax
	if needFacts(o.Analyzers) {
		mode = packages.LoadAllSyntax
	}
	cfg := &packages.Config{Context: ctx, Mode: mode | packages.NeedModule | packages.NeedForTest, Tests: o.Tests}
	pkgs, err := packages.Load(cfg, o.Packages...)
	if err != nil && strings.Contains(os.Getenv("GOFLAGS"), "-mod=mod") {
		// A module that cannot be had fails all there. Without -mod=mod, what is
		// missing is an error of the packages that import it.
		cfg.BuildFlags = []string{"-mod=readonly"}
		if some, again := packages.Load(cfg, o.Packages...); again == nil {
			pkgs, err = some, nil
		}
	}
	if err != nil {
		return nil, firstLine(err)
	}
	tested := map[string]bool{}
	for _, p := range pkgs {
		if p.ForTest != "" && p.ForTest == p.PkgPath {
			tested[p.PkgPath] = true
		}
	}
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool {
		generated := strings.HasSuffix(p.ID, ".test") && p.Name == "main"
		return generated || p.ForTest == "" && tested[p.PkgPath]
	})
	if len(pkgs) == 0 {
		if _, err := moduleRoot(""); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("no packages match %s", strings.Join(o.Packages, " "))
	}
	return pkgs, nil
}

// needFacts says whether an analyzer that runs keeps facts: then packages that
// are imported must be analyzed too.
func needFacts(list []*analysis.Analyzer) bool {
	return slices.ContainsFunc(list, func(a *analysis.Analyzer) bool {
		return len(a.FactTypes) > 0 || needFacts(a.Requires)
	})
}

// brokenPackages has one line for each package that is looked at, or that one of
// them imports, and does not compile.
func brokenPackages(pkgs []*packages.Package) []string {
	var lines, empty []string
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		var failed []packages.Error
		for _, e := range p.Errors {
			switch {
			case strings.HasSuffix(e.Msg, `(invalid package name: "")`): // what it imports is not there, and has an error for that
				empty = append(empty, firstLine(e).Error())
			case !strings.HasPrefix(e.Msg, "# "): // see load
				failed = append(failed, e)
			}
		}
		if len(failed) == 0 {
			return
		}
		line := firstLine(failed[0]).Error()
		if n := len(failed) - 1; n > 0 {
			line += fmt.Sprintf(" (and %d more; see 'go build')", n)
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	})
	if len(lines) == 0 {
		lines = empty
	}
	slices.Sort(lines)
	return lines
}
