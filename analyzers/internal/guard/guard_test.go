package guard_test

import (
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/internal/guard"
)

func TestPanicBecomesAnError(t *testing.T) {
	pass := &analysis.Pass{Analyzer: &analysis.Analyzer{Name: "shaky"}, Pkg: types.NewPackage("example.com/p", "p")}
	var nobody *types.Var
	for name, run := range map[string]func(*analysis.Pass) (any, error){
		"explicit":    func(*analysis.Pass) (any, error) { panic("no way on") },
		"nil pointer": func(*analysis.Pass) (any, error) { return nobody.Name(), nil },
	} {
		_, err := guard.Run(run)(pass)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%s: error %v, want one line", name, err)
		}
		for _, part := range []string{"shaky", "example.com/p", ".go:"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %s", name, err, part)
			}
		}
	}
}

func TestResultsPass(t *testing.T) {
	got, err := guard.Run(func(*analysis.Pass) (any, error) { return 7, nil })(&analysis.Pass{})
	if got != 7 || err != nil {
		t.Errorf("Run = %v, %v, want 7, nil", got, err)
	}
}
