package curate

import (
	"slices"

	"github.com/atomrace/atomrace/atomicity"
)

// renamed returns theirs with the ids that its sections have in ours: a section
// that both sides added gets our id, and one whose id ours gave to something
// else the next number that nobody has.
func renamed(base, ours, theirs *atomicity.Spec) (*atomicity.Spec, error) {
	known, mine, yours := index(base), index(ours), index(theirs)
	taken := func(id string) bool {
		_, a := mine[id]
		_, b := yours[id]
		_, c := known[id]
		return a || b || c
	}
	ids := map[*atomicity.Section]string{}
	for _, p := range theirs.Packages {
		for _, v := range p.Variables {
			var added []*atomicity.Section
			for _, s := range v.Sections {
				if _, old := known[s.ID]; !old {
					added = append(added, s)
				}
			}
			for s, id := range sameAs(added, ours.Package(p.Path).Variable(v.Name), known, len(known) == 0) {
				ids[s] = id
			}
			for _, s := range added {
				if m, clash := mine[s.ID]; ids[s] == "" && clash && (len(known) > 0 || m.Package.Path != p.Path || m.Variable.Name != v.Name) {
					for n := 1; ids[s] == ""; n++ {
						if id := atomicity.SectionID(s.Function, v.Name, n); !taken(id) && !slices.Contains(values(ids), id) {
							ids[s] = id
						}
					}
				}
			}
		}
	}
	changed := false
	for s, id := range ids {
		changed = changed || s.ID != id
	}
	if !changed {
		return theirs, nil
	}
	return withIDs(theirs, ids)
}

func values(ids map[*atomicity.Section]string) []string {
	var list []string
	for _, id := range ids {
		list = append(list, id)
	}
	return list
}

// sameAs pairs sections that theirs added with those that ours added to the
// same variable. Without a common origin a section with the id is the same. What one
// side wrote and the other inferred stays apart: they need not allow the same.
func sameAs(added []*atomicity.Section, ours *atomicity.Variable, known map[string]atomicity.Place, byID bool) map[*atomicity.Section]string {
	pairs := map[*atomicity.Section]string{}
	if ours == nil || len(added) == 0 {
		return pairs
	}
	mine := &atomicity.Variable{Name: ours.Name}
	for _, s := range ours.Sections {
		if _, old := known[s.ID]; !old {
			mine.Sections = append(mine.Sections, s)
		}
	}
	if byID {
		for _, s := range added {
			if i := slices.IndexFunc(mine.Sections, func(m *atomicity.Section) bool { return m.ID == s.ID }); i >= 0 {
				pairs[s] = s.ID
				mine.Sections = slices.Delete(mine.Sections, i, i+1)
			}
		}
		added = slices.DeleteFunc(slices.Clone(added), func(s *atomicity.Section) bool { return pairs[s] != "" })
	}
	for i, m := range mine.Recognise(added) {
		if m != nil && (m.Pattern == added[i].Pattern || len(m.With) > 0) {
			pairs[added[i]] = m.ID
		}
	}
	return pairs
}

// withIDs returns the spec with other ids, read again from its own text so that
// it keeps its comments.
func withIDs(spec *atomicity.Spec, ids map[*atomicity.Section]string) (*atomicity.Spec, error) {
	for s, id := range ids {
		s.ID, ids[s] = id, s.ID
	}
	text, err := spec.Bytes()
	for s, id := range ids {
		s.ID = id
	}
	if err != nil {
		return nil, err
	}
	return atomicity.Parse(spec.File(), text)
}
