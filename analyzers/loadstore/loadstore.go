package loadstore

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/analyzers/section"
	"github.com/atomrace/atomrace/analyzers/verdict"
	"github.com/atomrace/atomrace/atomicity"
)

// Analyzer reports loadstore sections. Its result, []*section.Candidate, has the
// sections that are not sure enough to be reported too.
var Analyzer = &analysis.Analyzer{
	Name:             "loadstore",
	Doc:              docs.Extract(doc, "loadstore"),
	URL:              docs.URL("loadstore"),
	Requires:         []*analysis.Analyzer{section.Analyzer, verdict.Analyzer},
	Run:              guard.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[[]*section.Candidate](),
}

func init() {
	section.AddDoubtful(Analyzer)
	section.AddConfident(Analyzer)
}

func run(pass *analysis.Pass) (any, error) {
	return section.Report(pass, atomicity.LoadAndStore), nil
}
