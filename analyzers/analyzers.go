// Package analyzers lists the analyzers of atomrace that report something.
//
// Each has a folder of its own: loadstore and testuse report diagnostics;
// accesses, locks, shared and section compute what these need, in this order.
// An analyzer never imports the runtime, the rewriter or the command: their
// only common ground is package atomicity, to whose sections the candidates
// of section.Candidate are ready to be added.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/loadstore"
	"github.com/atomrace/atomrace/analyzers/testuse"
)

// All returns the analyzers that report diagnostics. The result of each is a
// []*section.Candidate. The caller owns the slice.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{loadstore.Analyzer, testuse.Analyzer}
}
