package directive_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/atomrace/atomrace/analyzers/directive"
	"github.com/atomrace/atomrace/analyzers/loadstore"
)

// TestDirectives shows what directives that are wrong or useless bring about.
func TestDirectives(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), directive.Analyzer, "directives")
}

// TestSilence shows that directives silence the findings they name, and no
// others.
func TestSilence(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), loadstore.Analyzer, "silence")
}
