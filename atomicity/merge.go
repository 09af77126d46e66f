package atomicity

import (
	"cmp"
	"fmt"
	"slices"
)

// MergeReport lists section ids, in the order of the file.
type MergeReport struct {
	// Added are new sections, now candidates.
	Added []string
	// Kept are sections found again as they were.
	Kept []string
	// Updated are sections found again whose code moved or was edited: their
	// locations were refreshed.
	Updated []string
	// Stale are sections that are no longer inferred. They stay in the file,
	// marked: whether they may go is for a person to say.
	Stale []string
}

// Merge brings in what the analyzers have inferred, which must hold every
// package they looked at, also those without variables: only sections of these
// packages can become stale, and never those of origin user.
//
// A section is recognised by package, variable, pattern, function and its
// locations, that is by code text where it stayed the same and by ordinal
// where it did not. What is recognised gets its lines, ordinals and code
// refreshed and is not added again, rejected or not; what is not is marked as
// NotInferred, unless it has a mark already. Id, status, reason, heal, note and
// the allowed accesses of an end are a person's and stay; the doubt about a candidate is
// refreshed, and goes where a person has judged. The assurance, which
// depends on all sections together, is left to who merges. What is new
// goes behind the existing entries, sorted by name, under an id of its own, which is
// none of taken. Merging the same again changes nothing. Merge takes copies of
// inferred.
func (s *Spec) Merge(inferred *Spec, taken ...string) MergeReport {
	m := merger{ids: map[string]bool{}, state: map[*Section]sectionState{}}
	for _, id := range taken {
		m.ids[id] = true
	}
	for p := range s.All() {
		m.ids[p.Section.ID] = true
	}
	var added []*Package
	for _, from := range inferred.Packages {
		to := s.Package(from.Path)
		if to == nil {
			to = find(added, func(p *Package) bool { return p.Path == from.Path })
		}
		if to == nil {
			to = &Package{Path: from.Path}
			added = append(added, to)
		}
		m.mergePackage(to, from)
	}
	added = slices.DeleteFunc(added, func(p *Package) bool { return len(p.Variables) == 0 })
	slices.SortFunc(added, func(a, b *Package) int { return cmp.Compare(a.Path, b.Path) })
	s.Packages = append(s.Packages, added...)
	return m.report(s)
}

type sectionState int

const (
	sectionAdded sectionState = iota + 1
	sectionKept
	sectionUpdated
	sectionStale
)

type merger struct {
	ids   map[string]bool
	state map[*Section]sectionState
}

func (m *merger) report(s *Spec) MergeReport {
	var r MergeReport
	for p := range s.All() {
		id := p.Section.ID
		switch m.state[p.Section] {
		case sectionAdded:
			r.Added = append(r.Added, id)
		case sectionKept:
			r.Kept = append(r.Kept, id)
		case sectionUpdated:
			r.Updated = append(r.Updated, id)
		case sectionStale:
			r.Stale = append(r.Stale, id)
		}
	}
	return r
}

func find[T any](list []*T, ok func(*T) bool) *T {
	if i := slices.IndexFunc(list, ok); i >= 0 {
		return list[i]
	}
	return nil
}

func (m *merger) mergePackage(to, from *Package) {
	var added []*Variable
	for _, v := range from.Variables {
		old := to.Variable(v.Name)
		if old == nil {
			old = find(added, func(a *Variable) bool { return a.Name == v.Name })
		}
		if old == nil {
			old = &Variable{Name: v.Name}
			added = append(added, old)
		}
		m.mergeVariable(old, v)
	}
	for _, v := range to.Variables {
		if find(from.Variables, func(f *Variable) bool { return f.Name == v.Name }) == nil {
			m.stale(v.Sections)
		}
	}
	slices.SortFunc(added, func(a, b *Variable) int { return cmp.Compare(a.Name, b.Name) })
	to.Variables = append(to.Variables, added...)
}

func (m *merger) mergeVariable(to, from *Variable) {
	retyped := from.Type != "" && from.Type != to.Type
	if retyped {
		to.Type = from.Type
	}
	var added []*Section
	pairs := matchSections(to.Sections, from.Sections)
	for i, f := range from.Sections {
		if old := pairs[i]; old != nil {
			m.state[old] = sectionKept
			moved, doubted := old.refresh(f), old.doubt(f)
			if moved || doubted || retyped || old.Stale != NotStale {
				m.state[old], old.Stale = sectionUpdated, NotStale
			}
			continue
		}
		added = append(added, f.Clone())
	}
	m.stale(to.Sections)
	slices.SortStableFunc(added, compareSections)
	for _, sec := range added {
		m.name(sec, to.Name)
		to.Sections = append(to.Sections, sec)
	}
}

// doubt brings the doubt of a candidate up to date, that a person does not look after, and says
// whether it has changed.
func (s *Section) doubt(n *Section) bool {
	was := s.Doubt
	switch {
	case s.Status != Candidate:
		s.Doubt = ""
	case s.Origin != string(User):
		s.Doubt = n.Doubt
	}
	return s.Doubt != was
}

// stale marks sections that analyzers should have found and did not.
func (m *merger) stale(sections []*Section) {
	for _, sec := range sections {
		if m.state[sec] == 0 && sec.Origin != string(User) {
			m.state[sec] = sectionStale
			if sec.Stale == NotStale {
				sec.Stale = NotInferred
			}
		}
	}
}

// name gives a new section its first id that is free in the file.
func (m *merger) name(sec *Section, variable string) {
	if sec.Status == "" {
		sec.Status = Candidate
	}
	if sec.ID == "" || m.ids[sec.ID] {
		for n := 1; ; n++ {
			if sec.ID = SectionID(sec.Function, variable, n); !m.ids[sec.ID] {
				break
			}
		}
	}
	m.ids[sec.ID] = true
	m.state[sec] = sectionAdded
}

// Clone returns a copy of the section, as it is in a file, that shares nothing with it.
func (s *Section) Clone() *Section {
	c := *s
	c.Core = nil
	c.Ends, c.With = slices.Clone(s.Ends), slices.Clone(s.With)
	for i := range c.Ends {
		c.Ends[i].Also = slices.Clone(c.Ends[i].Also)
	}
	return &c
}

// compareSections is the order of new sections of a variable: by place in the
// code, as far as names and ordinals tell it.
func compareSections(a, b *Section) int {
	return cmp.Or(
		cmp.Compare(a.Function, b.Function),
		cmp.Compare(a.Entry.Ordinal, b.Entry.Ordinal),
		cmp.Compare(a.Pattern, b.Pattern),
		cmp.Compare(a.Entry.Code, b.Entry.Code),
		cmp.Compare(endsKey(a), endsKey(b)),
		cmp.Compare(a.ID, b.ID),
	)
}

func endsKey(s *Section) string {
	key := ""
	for _, e := range s.Ends {
		key += fmt.Sprintf("%06d %s\n", e.Ordinal, e.Code)
	}
	return key
}
