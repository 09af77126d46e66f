package section_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/atomrace/atomrace/analyzers/section"
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
