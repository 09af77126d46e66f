package section

import (
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/atomicity"
)

// Report takes the candidates of the given pattern out of the result of
// Analyzer, which pass must require, and reports those that are sure.
func Report(pass *analysis.Pass, pattern atomicity.Pattern) []*Candidate {
	var mine []*Candidate
	type act struct {
		name string
		at   token.Pos
	}
	reported := map[act]bool{} // one act is reported once, by the first of its tests
	for _, c := range pass.ResultOf[Analyzer].([]*Candidate) {
		if c.Pattern != pattern {
			continue
		}
		mine = append(mine, c)
		if !c.Sure || reported[act{c.Name, c.EndPos}] {
			continue
		}
		reported[act{c.Name, c.EndPos}] = true
		pass.Report(analysis.Diagnostic{
			Pos:            c.Pos,
			Category:       c.Category,
			Message:        c.Message,
			URL:            pass.Analyzer.URL + "#hdr-" + c.Category,
			Related:        c.related(),
			SuggestedFixes: c.Fixes,
		})
	}
	return mine
}

// related points at both ends of the sequence.
func (c *Candidate) related() []analysis.RelatedInformation {
	first, then := "read", "acted upon"
	if c.Pattern == atomicity.TestAndUse {
		first = "tested"
	} else {
		then = "stored"
	}
	related := []analysis.RelatedInformation{
		{Pos: c.Pos, Message: c.Name + " is " + first + " here"},
		{Pos: c.EndPos, Message: c.Name + " is " + then + " here"},
	}
	return related
}
