package directive

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/discipline"
	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/analyzers/loadstore"
	"github.com/atomrace/atomrace/analyzers/multivar"
	"github.com/atomrace/atomrace/analyzers/testuse"
	"github.com/atomrace/atomrace/analyzers/verdict"
)

// Reporters are the analyzers whose findings a directive can silence. They run
// before this one, which then knows what each directive was good for.
var Reporters = []*analysis.Analyzer{loadstore.Analyzer, testuse.Analyzer, discipline.Analyzer, multivar.Analyzer}

// Analyzer reports directives and specs. It has no result.
var Analyzer = &analysis.Analyzer{
	Name:             "directive",
	Doc:              docs.Extract(doc, "directive"),
	URL:              docs.URL("directive"),
	Requires:         append([]*analysis.Analyzer{verdict.Analyzer}, Reporters...),
	Run:              guard.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	known, err := checks()
	if err != nil {
		return nil, err
	}
	said := pass.ResultOf[verdict.Analyzer].(*verdict.Result)
	report := func(pos token.Pos, check, format string, args ...any) {
		pass.Report(analysis.Diagnostic{Pos: pos, Category: check, URL: docs.CheckURL(check), Message: fmt.Sprintf(format, args...)})
	}
	if said.SpecError != nil && len(pass.Files) > 0 {
		report(pass.Files[0].Package, "spec-unreadable", "%v", said.SpecError)
	}
	for _, d := range said.Directives {
		if len(d.IDs) == 0 {
			report(d.Pos, "ignore-unknown", "atomrace:ignore names no check; write //atomrace:ignore ID reason")
			continue
		}
		if d.Reason == "" {
			report(d.Pos, "ignore-reason", "atomrace:ignore %s gives no reason; write why behind the check", strings.Join(d.IDs, ","))
		}
		for i, id := range d.IDs {
			switch {
			case !slices.Contains(known, id):
				report(d.Pos, "ignore-unknown", "there is no check %q; 'atomrace help' lists them", id)
			case d.Reason != "" && !d.Used(i):
				report(d.Pos, "ignore-unused", "nothing to ignore: %s reports nothing here", id)
			}
		}
	}
	return nil, nil
}

// checks are the ids that a directive may name.
func checks() ([]string, error) {
	var ids []string
	for _, a := range Reporters {
		of, err := docs.Checks(a.Name, a.Doc)
		if err != nil {
			return nil, err
		}
		for _, c := range of {
			ids = append(ids, c.ID)
		}
	}
	return ids, nil
}
