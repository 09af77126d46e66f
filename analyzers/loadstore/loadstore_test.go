package loadstore_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/atomrace/atomrace/analyzers/loadstore"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), loadstore.Analyzer, "broken", "places", "drain", "fine", "owned")
}
