package section_test

import (
	"bytes"
	"fmt"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/section"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// findings reports the sure candidates of all patterns.
var findings = &analysis.Analyzer{
	Name:     "findings",
	Doc:      "report what is sure",
	Requires: []*analysis.Analyzer{section.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, c := range pass.ResultOf[section.Analyzer].([]*section.Candidate) {
			if c.Sure {
				pass.Reportf(c.Pos, "%s", c.Message)
			}
		}
		return nil, nil
	},
}

// TestAcross shows that a function of an imported package counts for as much as
// one of the package itself.
func TestAcross(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), findings, "across/client", "across/store")
}

// TestFactsAreStable analyzes a part of the standard library twice: the facts are
// the same, and within their bounds.
func TestFactsAreStable(t *testing.T) {
	of, least := "database/sql", 20
	if testing.Short() {
		of, least = "bufio", 10
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, of)
	if err != nil {
		t.Fatal(err)
	}
	first, second := factsOf(t, pkgs), factsOf(t, pkgs)
	total := 0
	for key, data := range first {
		if !bytes.Equal(data, second[key]) {
			t.Errorf("%s: %q first, %q then", key, data, second[key])
		}
		if len(data) > facts.MaxBytes {
			t.Errorf("%s: %d bytes, more than %d", key, len(data), facts.MaxBytes)
		}
		total += len(data)
	}
	if len(first) != len(second) || len(first) < least {
		t.Errorf("%d facts first, %d then; want at least %d", len(first), len(second), least)
	}
	t.Logf("%d facts, %d bytes", len(first), total)
}

// factsOf lists the facts of the packages and of all that they import.
func factsOf(t *testing.T, pkgs []*packages.Package) map[string][]byte {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{section.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for act := range graph.All() {
		for _, f := range act.AllPackageFacts() {
			key := f.Package.Path() + " " + fmt.Sprint(f.Fact)
			switch f := f.Fact.(type) {
			case *section.Fact:
				all[key] = f.Data
			case *locks.Fact:
				all[key] = f.Data
			case *shared.Fact:
				all[key] = f.Data
			}
		}
	}
	return all
}
