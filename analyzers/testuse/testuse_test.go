package testuse_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/atomrace/atomrace/analyzers/testuse"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), testuse.Analyzer, "broken", "callees", "channels", "fine", "spared", "uber", "waiting")
}

func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), testuse.Analyzer, "fix")
}
