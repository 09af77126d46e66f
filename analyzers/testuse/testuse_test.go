package testuse_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/atomrace/atomrace/analyzers/testuse"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), testuse.Analyzer, "broken", "callees", "channels", "closed", "depot/internal/mocks", "depot/internal/testutil", "depot/internal/wire", "depot/testing", "drivers", "fine", "generated", "literals", "surround", "mine", "program", "quiet", "requests", "runs", "spared", "turns", "uber", "waiting")
}

func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), testuse.Analyzer, "fix")
}

func TestDoubtful(t *testing.T) {
	set := func(on string) {
		if err := testuse.Analyzer.Flags.Set("doubtful", on); err != nil {
			t.Fatal(err)
		}
	}
	set("true")
	defer set("false")
	analysistest.Run(t, analysistest.TestData(), testuse.Analyzer, "doubt")
}
