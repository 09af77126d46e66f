package multivar_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/atomrace/atomrace/analyzers/multivar"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), multivar.Analyzer, "broken", "fine")
}
