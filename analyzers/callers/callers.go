package callers

import (
	"encoding/json"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// Analyzer reports the calls of a package, see the package's comment.
var Analyzer = &analysis.Analyzer{
	Name:     "callers",
	Doc:      docs.Extract(doc, "callers"),
	URL:      docs.URL("callers"),
	Requires: []*analysis.Analyzer{shared.Analyzer},
	Run:      guard.Run(run),

	RunDespiteErrors: true, // of a package that imports what cannot be had
}

func run(pass *analysis.Pass) (any, error) {
	if pass.Module == nil || pass.Module.Path == "" || len(pass.Files) == 0 || len(pass.TypeErrors) > 0 {
		return nil, nil // who knows what it calls
	}
	calls := pass.ResultOf[shared.Analyzer].(*shared.Result).Calls(pass.Module.Path, pass.Fset)
	text, err := json.Marshal(calls)
	if err != nil {
		return nil, err
	}
	pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Package, Category: "callers", Message: string(text)})
	return nil, nil
}
