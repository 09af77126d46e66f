package locks_test

import (
	"go/ast"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
)

// probe reports the locks that are held at each call of a function named probe.
var probe = &analysis.Analyzer{
	Name:     "probe",
	Doc:      "report the locks held at calls of probe",
	Requires: []*analysis.Analyzer{accesses.Analyzer, locks.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		result := pass.ResultOf[locks.Analyzer].(*locks.Result)
		for _, b := range pass.ResultOf[accesses.Analyzer].(*accesses.Package).Bodies {
			result.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall {
					return
				}
				if id, ok := call.Fun.(*ast.Ident); !ok || id.Name != "probe" {
					return
				}
				var names []string
				for _, l := range held.Places() {
					names = append(names, l.String()+[]string{"?", " shared", ""}[held[l]])
				}
				pass.Reportf(call.Pos(), "<%s>", strings.Join(names, ", "))
			})
		}
		return nil, nil
	},
}

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), probe, "held")
}
