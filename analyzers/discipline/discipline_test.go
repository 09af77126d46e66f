package discipline_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/atomrace/atomrace/analyzers/discipline"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), discipline.Analyzer, "broken", "documented", "doublechecked", "fine", "half", "onemutex", "prepared", "readers", "rule", "switched", "tested")
}
