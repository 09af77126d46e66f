package atomicity

import "slices"

// inheritance is what a Spec that was put together by Inherit knows about where its
// entries come from.
type inheritance struct {
	file    string // of the nearest
	ids     map[string]bool
	sources map[any]source // of packages, variables, sections, entries and ends
	judged  map[*Section]source
}

// source is an entry of a file.
type source struct {
	spec *Spec
	of   any
}

// Inherit completes what s says about a package by what from says, the spec of a
// file farther away: one in a directory above. Call it with the nearest file first,
// on a Spec of New; the result is for reading, not for saving.
//
// A section is one and the same in both when it has the same id under the same
// variable, or the same code. Its code and what its ends allow are then those of
// the nearer file. What a person has said counts from the nearest file that says
// it, each for itself: status with reason (candidate says nothing), heal, and note.
// Other sections, and variables, are added. A section whose id another one has
// already goes by the path of its package and that id.
func (s *Spec) Inherit(path string, from *Spec) {
	far := from.Package(path)
	if far == nil {
		return
	}
	if s.inherited == nil {
		s.inherited = &inheritance{from.File(), map[string]bool{}, map[any]source{}, map[*Section]source{}}
	}
	near := s.Package(path)
	if near == nil {
		near = &Package{Path: path}
		s.Packages = append(s.Packages, near)
		s.inherited.sources[near] = source{from, far}
	}
	for _, v := range far.Variables {
		to := near.Variable(v.Name)
		if to == nil {
			to = &Variable{Name: v.Name}
			near.Variables = append(near.Variables, to)
			s.inherited.sources[to] = source{from, v}
		}
		if to.Type == "" {
			to.Type = v.Type
		}
		s.inherited.sections(near, to, v, from)
	}
}

// sections completes the sections of a variable.
func (h *inheritance) sections(p *Package, near, far *Variable, from *Spec) {
	same := make([]*Section, len(far.Sections))
	free := slices.Clone(near.Sections)
	for i, f := range far.Sections {
		if at := slices.IndexFunc(free, func(n *Section) bool { return h.sources[n].of.(*Section).ID == f.ID }); at >= 0 {
			same[i] = free[at]
			free = slices.Delete(free, at, at+1)
		}
	}
	for i, n := range matchSections(free, far.Sections) {
		if same[i] == nil && n != nil {
			same[i] = n
		}
	}
	for i, f := range far.Sections {
		if n := same[i]; n != nil {
			h.complete(n, f, from)
			continue
		}
		c := f.Clone()
		if h.ids[c.ID] {
			c.ID = p.Path + "/" + c.ID
		}
		h.ids[c.ID] = true
		h.sources[c], h.sources[&c.Entry] = source{from, f}, source{from, &f.Entry}
		for j := range c.Ends {
			h.sources[&c.Ends[j]] = source{from, &f.Ends[j]}
		}
		near.Sections = append(near.Sections, c)
	}
}

// complete gives a section what only the farther file says about it.
func (h *inheritance) complete(near, far *Section, from *Spec) {
	if near.Status == Candidate && far.Status != Candidate {
		near.Status, near.Reason = far.Status, far.Reason
		h.judged[near] = source{from, far}
	}
	if near.Note == "" {
		near.Note = far.Note
	}
	switch {
	case near.Status == Rejected:
		near.Heal = HealDefault
	case near.Heal == HealDefault:
		near.Heal = far.Heal
	}
}

// Source returns the file that an entry comes from: the Spec that was read from it,
// and the section there. For a Spec that inherits nothing they are s and sec.
func (s *Spec) Source(sec *Section) (*Spec, *Section) {
	if s.inherited != nil {
		if from, ok := s.inherited.sources[sec]; ok {
			return from.spec, from.of.(*Section)
		}
	}
	return s, sec
}

// Judged returns the file that the status of a section comes from, which may be
// farther away than Source: the Spec that was read from it, and the section there.
func (s *Spec) Judged(sec *Section) (*Spec, *Section) {
	if s.inherited != nil {
		if from, ok := s.inherited.judged[sec]; ok {
			return from.spec, from.of.(*Section)
		}
	}
	return s.Source(sec)
}
