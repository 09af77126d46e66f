package curate

import (
	"fmt"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
)

// Conflict is one thing that two sides say differently.
type Conflict struct {
	// Position is where the section stands on our side, or on theirs if ours
	// has it no more.
	atomicity.Position
	// Section is its id.
	Section string
	// Msg says what each side wants.
	Msg string
}

func (c Conflict) String() string {
	return fmt.Sprintf("%s: section %s: %s", c.Position, c.Section, c.Msg)
}

// Merged is what came of a merge.
type Merged struct {
	// Text is the file; with conflicts, it has both sides there, between the
	// marks of git, and does not load.
	Text []byte
	// Conflicts are what a person must decide, in the order of the file.
	Conflicts []Conflict
}

// Merge brings together what was done in ours and in theirs to base, which is
// nil when they have no common origin: then each adds to the other, and what
// a person said wins over what nobody said.
//
// Sections are recognised by id, and those that both sides have added by their
// code, so that two people who ran infer add a section once. Ids stay unique:
// of two new sections with one id, theirs gets the next number. Where code
// and ordinals differ, which infer refreshes, ours stay. What people write, each
// field for itself, is a conflict only when both sides changed it, and
// differently, or removed what the other changed or wrote a comment on. The text is
// that of ours with theirs worked in, and the comments of both sides.
func Merge(base, ours, theirs *atomicity.Spec) (*Merged, error) {
	if base == nil {
		base = atomicity.New()
	}
	theirs, err := renamed(base, ours, theirs)
	if err != nil {
		return nil, err
	}
	m := &merging{base: index(base), ours: index(ours), theirs: index(theirs), origin: base, of: ours, from: theirs, comments: newRemarks(base, ours, theirs)}
	left := m.spec(false)
	text, err := m.weave(base, ours, theirs, left)
	if err != nil {
		return nil, err
	}
	merged := &Merged{Text: text, Conflicts: m.conflicts}
	if len(m.conflicts) == 0 {
		return merged, nil
	}
	right, err := m.weave(base, ours, theirs, m.spec(true))
	if err != nil {
		return nil, err
	}
	merged.Text = mark(text, right)
	return merged, nil
}

// merging is one merge of the values. The specs it makes share nothing with
// those it was given.
type merging struct {
	base, ours, theirs map[string]atomicity.Place
	origin, of, from   *atomicity.Spec // base, ours and theirs
	comments           remarks
	conflicts          []Conflict
}

func index(s *atomicity.Spec) map[string]atomicity.Place {
	places := map[string]atomicity.Place{}
	for p := range s.All() {
		places[p.Section.ID] = p
	}
	return places
}

// spec merges everything; where the sides are in conflict it has what theirs
// says or, without prefer, what ours does.
func (m *merging) spec(preferTheirs bool) *atomicity.Spec {
	m.conflicts = nil
	out := atomicity.New()
	for _, p := range ordered(m.of.Packages, m.from.Packages, func(p *atomicity.Package) string { return p.Path }) {
		to := &atomicity.Package{Path: p}
		o, t := m.of.Package(p), m.from.Package(p)
		for _, v := range ordered(variables(o), variables(t), func(v *atomicity.Variable) string { return v.Name }) {
			if merged := m.variable(p, o.Variable(v), t.Variable(v), preferTheirs); merged != nil {
				to.Variables = append(to.Variables, merged)
			}
		}
		if len(to.Variables) > 0 || m.keepsEmpty(p, o, t) {
			out.Packages = append(out.Packages, to)
		}
	}
	return out
}

// keepsEmpty says whether a package stays that nothing is left of: a side has it empty,
// and none has taken it out. ours or theirs may be nil.
func (m *merging) keepsEmpty(path string, ours, theirs *atomicity.Package) bool {
	if m.origin.Package(path) != nil && (ours == nil || theirs == nil) {
		return false
	}
	return ours != nil && len(ours.Variables) == 0 || theirs != nil && len(theirs.Variables) == 0
}

func variables(p *atomicity.Package) []*atomicity.Variable {
	if p == nil {
		return nil
	}
	return p.Variables
}

// ordered returns the names of ours and, each behind the one it follows in
// theirs, the names that only theirs has.
func ordered[T any](ours, theirs []T, name func(T) string) []string {
	var names []string
	for _, x := range ours {
		names = append(names, name(x))
	}
	at := 0
	for _, x := range theirs {
		if i := slices.Index(names, name(x)); i >= 0 {
			at = i + 1
			continue
		}
		// Among what both have added at one place, ours comes first.
		for at < len(names) && !slices.ContainsFunc(theirs, func(y T) bool { return name(y) == names[at] }) {
			at++
		}
		names = slices.Insert(names, at, name(x))
		at++
	}
	return names
}

// variable merges one variable; nil when it goes. ours or theirs may be nil.
func (m *merging) variable(path string, ours, theirs *atomicity.Variable, preferTheirs bool) *atomicity.Variable {
	out := &atomicity.Variable{}
	var o, t []*atomicity.Section
	if theirs != nil {
		out.Name, out.Type, t = theirs.Name, theirs.Type, theirs.Sections
	}
	if ours != nil {
		out.Name, out.Type, o = ours.Name, ours.Type, ours.Sections
	}
	base := m.origin.Package(path).Variable(out.Name)
	if base != nil && ours != nil && theirs != nil && ours.Type == base.Type {
		out.Type = theirs.Type
	}
	for _, id := range ordered(o, t, func(s *atomicity.Section) string { return s.ID }) {
		if m.home(id) != [2]string{path, out.Name} {
			continue
		}
		if s := m.section(id, preferTheirs); s != nil {
			out.Sections = append(out.Sections, s)
		}
	}
	// A variable without sections is watched for data races; it goes when a
	// side has taken it out.
	removed := base != nil && (ours == nil || theirs == nil)
	if len(out.Sections) == 0 && removed {
		return nil
	}
	return out
}

// home is the package and variable that a section stands under in the end:
// those of ours, unless only theirs has moved it.
func (m *merging) home(id string) [2]string {
	under := func(p atomicity.Place) [2]string {
		if p.Section == nil {
			return [2]string{}
		}
		return [2]string{p.Package.Path, p.Variable.Name}
	}
	b, o, t := under(m.base[id]), under(m.ours[id]), under(m.theirs[id])
	if m.ours[id].Section == nil || m.theirs[id].Section != nil && o == b {
		return t
	}
	return o
}

// section merges one section; nil when it goes.
func (m *merging) section(id string, preferTheirs bool) *atomicity.Section {
	b, o, t := m.base[id].Section, m.ours[id].Section, m.theirs[id].Section
	switch {
	case o != nil && t != nil:
		return m.both(b, o, t, preferTheirs)
	case b == nil && o != nil:
		return o.Clone()
	case b == nil && t != nil:
		return t.Clone()
	case o != nil && (!sameWords(b, o) || m.comments.isRemarked(m.of, o)):
		m.conflict(m.of, o, "theirs has removed it, and ours has changed "+what(b, o))
		if preferTheirs {
			return nil
		}
		return o.Clone()
	case t != nil && (!sameWords(b, t) || m.comments.isRemarked(m.from, t)):
		m.conflict(m.from, t, "ours has removed it, and theirs has changed "+what(b, t))
		if !preferTheirs {
			return nil
		}
		return t.Clone()
	}
	return nil
}

// what of a section one side has changed.
func what(base, now *atomicity.Section) string {
	if sameWords(base, now) {
		return "its comments"
	}
	return "it"
}

func (m *merging) conflict(where *atomicity.Spec, s *atomicity.Section, msg string) {
	m.conflicts = append(m.conflicts, Conflict{where.Position(s, ""), s.ID, msg})
}
