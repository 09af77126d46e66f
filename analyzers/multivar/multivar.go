package multivar

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/analyzers/section"
	"github.com/atomrace/atomrace/analyzers/verdict"
)

// Analyzer reports variables that are torn apart. Its result, []*section.Candidate, has the
// sections that are not sure enough to be reported too.
var Analyzer = &analysis.Analyzer{
	Name:             "multivar",
	Doc:              docs.Extract(doc, "multivar"),
	URL:              docs.URL("multivar"),
	Requires:         []*analysis.Analyzer{section.Analyzer, verdict.Analyzer},
	Run:              guard.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[[]*section.Candidate](),
}

func init() { section.AddConfident(Analyzer) }

func run(pass *analysis.Pass) (any, error) {
	return section.Report(pass, ""), nil
}
