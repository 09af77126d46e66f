package discipline

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/analyzers/section"
	"github.com/atomrace/atomrace/analyzers/verdict"
	"github.com/atomrace/atomrace/atomicity"
)

// Analyzer reports breaches of a variable's own rule. Its result, []*section.Candidate, has the
// sections that are not sure enough to be reported too.
var Analyzer = &analysis.Analyzer{
	Name:             "discipline",
	Doc:              docs.Extract(doc, "discipline"),
	URL:              docs.URL("discipline"),
	Requires:         []*analysis.Analyzer{section.Effects, section.Analyzer, verdict.Analyzer},
	Run:              guard.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[[]*section.Candidate](),
}

func init() { section.AddConfident(Analyzer) }

func run(pass *analysis.Pass) (any, error) {
	return section.Report(pass, atomicity.TestAndUse, section.Confirmed(pass)...), nil
}
