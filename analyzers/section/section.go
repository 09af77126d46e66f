package section

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/docs"
)

// Analyzer computes the []*Candidate of a package, sorted by position.
var Analyzer = &analysis.Analyzer{
	Name:             "section",
	Doc:              docs.Extract(doc, "section"),
	URL:              docs.URL("section"),
	Requires:         []*analysis.Analyzer{accesses.Analyzer},
	Run:              run,
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[[]*Candidate](),
}

func run(pass *analysis.Pass) (any, error) {
	return []*Candidate(nil), nil
}
