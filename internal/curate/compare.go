package curate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// Change is one difference in meaning between two versions of a Spec.
type Change struct {
	// Kind is added, removed or changed.
	Kind string `json:"kind"`
	// Package and Variable are where the section stands, in the new version
	// unless it was removed.
	Package  string `json:"package"`
	Variable string `json:"variable"`
	// Section is the id, as in the new version; empty when a variable without
	// sections came or went.
	Section string `json:"section,omitempty"`
	// Fields are what changed, in the order of the reference.
	Fields []FieldChange `json:"fields,omitempty"`
}

// FieldChange is a field that has another value.
type FieldChange struct {
	// Field is its name in the file; those of an end are ends[i].allow and so
	// on.
	Field string `json:"field"`
	// Old and New are the values as text, empty for an absent field.
	Old string `json:"old"`
	New string `json:"new"`
}

// Compare returns what a reviewer must know: sections that came, went or say
// something else, in the order of the new version, removed ones last. Comments,
// layout, order and line hints do not count. A section is recognised by its id,
// or by its code when it has another id.
func Compare(from, to *atomicity.Spec) []Change {
	old := index(from)
	matched := map[string]bool{}
	was := map[*atomicity.Section]atomicity.Place{}
	for p := range to.All() {
		if o, ok := old[p.Section.ID]; ok {
			was[p.Section], matched[p.Section.ID] = o, true
		}
	}
	for _, p := range to.Packages {
		for _, v := range p.Variables {
			for s, o := range renamedSections(from.Package(p.Path).Variable(v.Name), v, was, matched) {
				was[s], matched[o.ID] = old[o.ID], true
			}
		}
	}
	var changes []Change
	for _, p := range to.Packages {
		for _, v := range p.Variables {
			if before := from.Package(p.Path).Variable(v.Name); before == nil && len(v.Sections) == 0 {
				changes = append(changes, Change{Kind: "added", Package: p.Path, Variable: v.Name})
			}
			for _, s := range v.Sections {
				c := Change{Kind: "added", Package: p.Path, Variable: v.Name, Section: s.ID}
				if o := was[s]; o.Section != nil {
					c.Kind, c.Fields = "changed", fieldChanges(o, atomicity.Place{Package: p, Variable: v, Section: s})
				}
				if c.Kind == "added" || len(c.Fields) > 0 {
					changes = append(changes, c)
				}
			}
		}
	}
	for _, p := range from.Packages {
		for _, v := range p.Variables {
			if len(v.Sections) == 0 && to.Package(p.Path).Variable(v.Name) == nil {
				changes = append(changes, Change{Kind: "removed", Package: p.Path, Variable: v.Name})
			}
			for _, s := range v.Sections {
				if !matched[s.ID] {
					changes = append(changes, Change{Kind: "removed", Package: p.Path, Variable: v.Name, Section: s.ID})
				}
			}
		}
	}
	return changes
}

// renamedSections pairs the sections of a variable that have no partner by id.
func renamedSections(from, to *atomicity.Variable, was map[*atomicity.Section]atomicity.Place, matched map[string]bool) map[*atomicity.Section]*atomicity.Section {
	if from == nil {
		return nil
	}
	left := &atomicity.Variable{}
	for _, s := range from.Sections {
		if !matched[s.ID] {
			left.Sections = append(left.Sections, s)
		}
	}
	now := slices.DeleteFunc(slices.Clone(to.Sections), func(s *atomicity.Section) bool { return was[s].Section != nil })
	pairs := map[*atomicity.Section]*atomicity.Section{}
	for i, o := range left.Recognise(now) {
		if o != nil {
			pairs[now[i]] = o
		}
	}
	return pairs
}

// fieldChanges compares two versions of one section.
func fieldChanges(o, n atomicity.Place) []FieldChange {
	var list []FieldChange
	add := func(field, a, b string) {
		if a != b {
			list = append(list, FieldChange{field, a, b})
		}
	}
	a, b := o.Section, n.Section
	add("package", o.Package.Path, n.Package.Path)
	add("variable", o.Variable.Name, n.Variable.Name)
	add("type", o.Variable.Type, n.Variable.Type)
	add("id", a.ID, b.ID)
	add("pattern", string(a.Pattern), string(b.Pattern))
	add("function", a.Function, b.Function)
	add("with", strings.Join(a.With, ", "), strings.Join(b.With, ", "))
	location := func(path string, a, b atomicity.Location) {
		add(path+".access", mode(a), mode(b))
		add(path+".code", a.Code, b.Code)
		add(path+".ordinal", number(a.Ordinal), number(b.Ordinal))
	}
	location("entry", a.Entry, b.Entry)
	for i := range max(len(a.Ends), len(b.Ends)) {
		path := fmt.Sprintf("ends[%d]", i)
		switch {
		case i >= len(a.Ends):
			add(path, "", end(b.Ends[i]))
		case i >= len(b.Ends):
			add(path, end(a.Ends[i]), "")
		default:
			add(path+".variable", a.Ends[i].Variable, b.Ends[i].Variable)
			location(path, a.Ends[i].Location, b.Ends[i].Location)
			add(path+".allow", a.Ends[i].Allow.String(), b.Ends[i].Allow.String())
			add(path+".also", strings.Join(a.Ends[i].Also, ", "), strings.Join(b.Ends[i].Also, ", "))
		}
	}
	add("origin", a.Origin, b.Origin)
	add("status", string(a.Status), string(b.Status))
	add("reason", a.Reason, b.Reason)
	add("heal", string(a.Heal), string(b.Heal))
	add("assurance", string(a.Assurance), string(b.Assurance))
	add("doubt", a.Doubt, b.Doubt)
	add("stale", string(a.Stale), string(b.Stale))
	add("note", a.Note, b.Note)
	return list
}

func mode(l atomicity.Location) string { return l.Access.Names()[0] }

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func end(e atomicity.End) string {
	of, also := "", ""
	if e.Variable != "" {
		of = " of " + e.Variable
	}
	if len(e.Also) > 0 {
		also = " and " + strings.Join(e.Also, ", ")
	}
	return fmt.Sprintf("%s%s in `%s`, allows %s%s", mode(e.Location), of, e.Code, e.Allow, also)
}
