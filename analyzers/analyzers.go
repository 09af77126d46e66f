// Package analyzers lists the analyzers of atomrace that report something.
//
// Each has a folder of its own: loadstore and testuse report findings, and
// directive reports comments that silence findings and should not; accesses,
// locks, shared and section compute what these need, in this order, and verdict
// reads what people have said about findings.
// An analyzer never imports the runtime, the rewriter or the command: their
// only common ground is package atomicity, to whose sections the candidates
// of section.Candidate are ready to be added.
package analyzers

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/directive"
	"github.com/atomrace/atomrace/analyzers/section"
)

// Facts returns the analyzers that must run on a package for the sake of those
// that import it. They report nothing. The caller owns the slice.
func Facts() []*analysis.Analyzer { return []*analysis.Analyzer{section.Effects} }

// All returns the analyzers that report diagnostics. The result of
// each of directive.Reporters is a []*section.Candidate. The caller owns the slice.
func All() []*analysis.Analyzer {
	return append(slices.Clone(directive.Reporters), directive.Analyzer)
}
