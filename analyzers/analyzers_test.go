package analyzers_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers"
)

// TestValid shows that drivers accept the analyzers.
func TestValid(t *testing.T) {
	if err := analysis.Validate(analyzers.All()); err != nil {
		t.Error(err)
	}
}
