package section

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/verdict"
	"github.com/atomrace/atomrace/atomicity"
)

// Report takes the candidates of the given pattern, or of any, out of the result of
// Analyzer, which pass must require beside verdict.Analyzer, and reports those
// that are sure and those that people have confirmed, except what people have
// rejected or ignore; more are reported too if they are confirmed.
func Report(pass *analysis.Pass, pattern atomicity.Pattern, more ...*Candidate) []*Candidate {
	var mine []*Candidate
	type act struct {
		name string
		at   token.Pos
	}
	reported := map[act]bool{} // one act is reported once, by the first of its tests
	candidates := append(slices.Clone(pass.ResultOf[Analyzer].([]*Candidate)), more...)
	told := map[string]bool{}
	var heads reports
	said := pass.ResultOf[verdict.Analyzer].(*verdict.Result)
	doubtful, confident := isSet(pass.Analyzer, "doubtful"), isSet(pass.Analyzer, "confident")
	if doubtful { // what is sure comes first, and is not said again
		slices.SortStableFunc(candidates, func(a, b *Candidate) int { return cmp.Compare(len(a.Doubt), len(b.Doubt)) })
	}
	specs := judged(said, candidates)
	for _, c := range candidates {
		if pattern != "" && c.Pattern != pattern && !slices.Contains(more, c) || c.Analyzer != pass.Analyzer.Name {
			continue
		}
		if !slices.Contains(more, c) {
			c.Ignored = said.Silenced(c.Category, c.Pos)
			mine = append(mine, c)
		}
		spec := specs[c]
		this := act{c.Name, c.EndPos}
		if c.Roles[0] != "" {
			this.at = c.Pos // the other end is an example
		}
		confirmed := spec != nil && spec.Status == atomicity.Confirmed
		if !c.wanted(spec, doubtful) || (reported[this] || confident && !c.Confident()) && !confirmed {
			continue
		}
		reported[this] = true
		if said.Ignored(c.Category, c.Pos) {
			continue
		}
		if c.Alike != "" && told[c.Alike] {
			heads.alike(c)
			continue
		}
		told[c.Alike] = true
		if !confirmed {
			if head := heads.of(c); head != nil {
				head.others = append(head.others, c)
				continue
			}
		}
		heads = append(heads, &head{Candidate: c, remark: c.remark(said, spec), confirmed: confirmed})
	}
	for _, h := range heads {
		pass.Report(h.diagnostic())
	}
	return mine
}

// A head is a candidate that is reported, with those that it speaks for: what several
// functions do to one variable without any lock is one mistake, or none.
type head struct {
	*Candidate
	remark    string
	confirmed bool // by a person, who spoke of this place alone
	others    []*Candidate
}

type reports []*head

// of is the head that speaks for c, or nil.
func (r reports) of(c *Candidate) *head {
	if !c.loose() {
		return nil
	}
	for _, h := range r {
		if h.loose() && !h.confirmed && h.Category == c.Category && h.Name == c.Name {
			return h
		}
	}
	return nil
}

// alike adds c to the head that tells about it, if it is in a function which none of the others is in:
// who mends the one looks at the other.
func (r reports) alike(c *Candidate) {
	for _, h := range r {
		if h.Alike != c.Alike || h.confirmed || h.Category != c.Category {
			continue
		}
		if !slices.ContainsFunc(append(h.others, h.Candidate), func(o *Candidate) bool { return o.Entry.Func == c.Entry.Func }) {
			h.others = append(h.others, c)
		}
		return
	}
}

// loose says that no lock is held anywhere in the sequence, and that nothing is known
// about it that is not as true of another one over the variable.
func (c *Candidate) loose() bool {
	return (c.Category == "load-and-store" || c.Category == "test-and-use") && c.Roles[0] == "" && c.Doubt == "" && len(c.Fixes) == 0
}

func (h *head) diagnostic() analysis.Diagnostic {
	d := analysis.Diagnostic{
		Pos:            h.Pos,
		Category:       h.Category,
		Message:        h.Message,
		URL:            docs.CheckURL(h.Category),
		Related:        h.related(),
		SuggestedFixes: h.Fixes,
	}
	switch n := len(h.others); {
	case n == 1:
		d.Message += " (likewise in another place)"
	case n > 1:
		d.Message += fmt.Sprintf(" (likewise in %d other places)", n)
	}
	d.Message += h.remark
	for _, c := range h.others {
		places := c.related()
		if c.Pos == c.EndPos && c.Pattern == atomicity.LoadAndStore {
			places[1].Message = c.Name + " is read and stored here"
			places = places[1:]
		}
		for _, place := range places {
			if !slices.Contains(d.Related, place) { // the other end is often one for all
				d.Related = append(d.Related, place)
			}
		}
	}
	d.Message = asWritten(d.Message)
	for i := range d.Related {
		d.Related[i].Message = asWritten(d.Related[i].Message)
	}
	return d
}

// AddDoubtful gives an analyzer that reports candidates the flag -doubtful, for those
// that are not sure, with the reason for doubt in parentheses.
func AddDoubtful(a *analysis.Analyzer) {
	a.Flags.Bool("doubtful", false, "report also what may well be harmless, with the reason for doubt")
}

// AddConfident gives an analyzer that reports candidates the flag -confident, which
// leaves out those that are not Confident.
func AddConfident(a *analysis.Analyzer) {
	a.Flags.Bool("confident", false, "report only what is right in two of three cases or more, by the checks that have proved so")
}

func isSet(a *analysis.Analyzer, name string) bool {
	f := a.Flags.Lookup(name)
	return f != nil && f.Value.String() == "true"
}

// proven are the checks whose reports were mostly right when people judged them: at least
// two of three by docs/verdicts.tsv, where five or more were judged.
var proven = []string{"guarded-escape", "lost-wakeup", "read-before-lock", "send-after-check"}

// Confident says whether the report is of a check that has proved right, and of accesses
// that the function makes itself: with getters and setters in between, most were not.
func (c *Candidate) Confident() bool {
	return slices.Contains(proven, c.Category) && c.Via == nil && c.EndVia == nil
}

// Proven returns the ids of the checks that a Confident report is of. The caller owns it.
func Proven() []string { return slices.Clone(proven) }

// related points at both ends of the sequence, and into the callees that make
// the accesses.
func (c *Candidate) related() []analysis.RelatedInformation {
	first, then := "read", "acted upon"
	if c.Pattern == atomicity.TestAndUse {
		first = "tested"
	} else {
		then = "stored"
	}
	if c.Roles[0] != "" {
		first, then = c.Roles[0], c.Roles[1]
	}
	end := c.EndName
	if end == "" {
		end = c.Name
	}
	related := []analysis.RelatedInformation{
		{Pos: c.Pos, Message: c.Name + " is " + first + " here"},
		{Pos: c.EndPos, Message: end + " is " + then + " here"},
	}
	for _, callee := range []struct {
		call *ast.CallExpr
		at   token.Pos
		name string
		what string
	}{{c.Via, c.Within, c.Name, first}, {c.EndVia, c.EndWithin, end, then}} {
		if callee.call != nil && callee.at.IsValid() {
			related = append(related, analysis.RelatedInformation{
				Pos: callee.at, Message: callee.name + " is " + callee.what + " in " + types.ExprString(callee.call.Fun) + " here",
			})
		}
	}
	if c.Bare != nil {
		related = append(related, analysis.RelatedInformation{
			Pos: c.Bare.Pos(), Message: types.ExprString(c.Bare.Fun) + " is called here without a lock, and elsewhere with one",
		})
	}
	return related
}
