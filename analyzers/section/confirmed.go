package section

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/verdict"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Confirmed finds the sections that people have confirmed in atomicity.yaml, that
// no analyzer would have proposed as one to report (patterns user and
// access-interleaving), and that no lock protects. Pass must require Effects,
// Analyzer and verdict.Analyzer.
func Confirmed(pass *analysis.Pass) []*Candidate {
	said := pass.ResultOf[verdict.Analyzer].(*verdict.Result)
	s := pass.ResultOf[Effects].(*search)
	s.mu.Lock()
	defer s.mu.Unlock()
	sure := map[[2]*access.Access]bool{}
	for _, c := range pass.ResultOf[Analyzer].([]*Candidate) {
		if (c.Sure || c.EndName != "") && len(c.Ends) > 0 { // it is reported with what people say
			sure[[2]*access.Access{c.Entry, c.Ends[0]}] = true
		}
	}
	var found []*Candidate
	for variable, spec := range said.Confirmed() {
		if spec.Pattern != atomicity.User && spec.Pattern != atomicity.AccessInterleaving {
			continue
		}
		c := s.confirmed(variable, spec)
		if c != nil && !sure[[2]*access.Access{c.Entry, c.Ends[0]}] {
			found = append(found, c)
		}
	}
	return found
}

// confirmed is the candidate for a section of the spec, or nil if its code is
// gone, which infer reports, or a lock protects it.
func (s *search) confirmed(variable string, spec *atomicity.Section) *Candidate {
	entry := s.pkg.Find(spec.Function, variable, spec.Entry)
	if entry == nil || entry.Scope == nil {
		return nil
	}
	body := s.pkg.ByNode[entry.Scope]
	if s.bodyState = s.states[body]; s.bodyState == nil {
		return nil
	}
	e := s.occ[entry]
	if e == nil {
		return nil
	}
	var ends []*access.Access
	for _, end := range spec.Ends {
		if a := s.pkg.Find(spec.Function, end.On(variable), end.Location); a != nil && end.Allow != atomicity.ReadWrite {
			ends = append(ends, a)
		}
	}
	var open *access.Access // the first end without a lock
	s.onward(e, func(_, _ int, ev accesses.Event, kept locks.Set) bool {
		if ev.Kind != accesses.OnAccess || !slices.Contains(ends, ev.Access) {
			return false
		}
		writes := e.Mode == atomicity.Write || ev.Access.Mode == atomicity.Write
		if !protects(kept, writes) && (open == nil || ev.Access.Pos() < open.Pos()) {
			open = ev.Access
		}
		return true
	})
	if open == nil {
		return nil
	}
	what := types.ExprString(entry.Cell)
	if len(spec.With) > 0 {
		set := spec.Set(variable)
		what = strings.Join(set[:len(set)-1], ", ") + " and " + set[len(set)-1]
	}
	end := ""
	if len(spec.With) > 0 {
		end = s.pkg.Name(open.Var)
	}
	return &Candidate{
		EndName:  end,
		Package:  s.pkg.Types.Path(),
		Variable: entry.Var,
		Name:     variable,
		Type:     types.TypeString(entry.Var.Obj.Type(), types.RelativeTo(s.pkg.Types)),
		Pattern:  spec.Pattern,
		Analyzer: "discipline",
		Section:  spec,
		Entry:    entry,
		Ends:     []*access.Access{open},
		Category: "confirmed-section",
		Message:  fmt.Sprintf("nothing keeps other goroutines from %s between here and line %d", what, s.pkg.Fset.Position(open.Pos()).Line),
		Pos:      entry.Pos(),
		EndPos:   open.Pos(),
	}
}
