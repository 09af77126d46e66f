package curate

import (
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// Marking is what Mark must know besides the code.
type Marking struct {
	// Names are those of the packages that were looked at, and which packages are
	// gone; see [atomicity.Spec.Follow].
	Names atomicity.Code
	// Before are the marks by id, as they were before merging.
	Before map[string]atomicity.Staleness
}

// Mark sets the marks of stale sections right, after [atomicity.Spec.Merge] of what
// was inferred for the packages in code: a section whose code is not there is Gone,
// whoever wrote it, and one that was inferred or is a person's and there again has
// no mark. What may stand in a file that was not looked at, of a test or another
// system, keeps the mark it had. Mark returns the sections that are marked now and
// were not so before, in the order of the file.
func Mark(spec *atomicity.Spec, code Code, m Marking) []*atomicity.Section {
	missing := map[*atomicity.Section]bool{}
	for _, s := range Check(spec, code) {
		missing[s.Section] = s.Problem.Check == "stale"
	}
	var marked []*atomicity.Section
	for p := range spec.All() {
		s, names := p.Section, m.Names.Packages[p.Package.Path]
		switch {
		case m.Names.Gone[p.Package.Path]:
			s.Stale = atomicity.Gone
		case len(code.Packages[p.Package.Path]) == 0 || names == nil:
			continue
		case s.Stale == atomicity.NotStale && !missing[s]: // as nearly all are
		case names.Others[s.Function[strings.LastIndexByte(s.Function, '.')+1:]]:
			s.Stale = m.Before[s.ID]
		case missing[s]:
			s.Stale = atomicity.Gone
		case s.Origin == string(atomicity.User):
			s.Stale = atomicity.NotStale
		default:
			s.Stale = atomicity.NotInferred
		}
		if s.Stale != atomicity.NotStale && s.Stale != m.Before[s.ID] {
			marked = append(marked, s)
		}
	}
	return marked
}
