package atomicity

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// rules checks what concerns more than one field.
func (d *decoder) rules(n *yaml.Node, path *where, v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *Variable:
		for i, s := range x.Sections {
			d.setRules(d.doc.nodes[s], path.field("sections").element(i), x.Name, s)
		}
	case *Section:
		if x.Status == Rejected && x.Reason == "" {
			d.errorf(fieldNode(n, "status"), path, "the section is rejected without a reason; add reason: %s", specExample("reason"))
		}
	case *Location:
		d.locationRule(n, path, x)
	case *End:
		d.locationRule(n, path, &x.Location)
	}
}

// setRules checks which variables the section n, which stands under variable, is about.
func (d *decoder) setRules(n *yaml.Node, path *where, variable string, s *Section) {
	if n == nil {
		return // it is wrong in itself
	}
	for i, other := range s.With {
		at := path.field("with").element(i)
		node := fieldNode(n, "with").Content[i]
		if other == variable {
			d.errorf(node, at, "%s is the variable that the section stands under; with names the others: remove it", other)
		} else if why := setMistake(other, variable); why != "" {
			d.errorf(node, at, "%s; write a section for each", why)
		}
	}
	if _, why := setOwner(variable); why != "" && len(s.With) > 0 {
		d.errorf(fieldNode(n, "with"), path.field("with"), "%s %s; write a section for each", variable, why)
	}
	set := append([]string{variable}, s.With...)
	for i := range s.Ends {
		if on := s.Ends[i].On(variable); !slices.Contains(set, on) {
			node := d.doc.nodes[&s.Ends[i]]
			if node == nil {
				node = n
			}
			d.errorf(fieldNode(node, "variable"), path.field("ends").element(i).field("variable"), "the section is not about %s; %s", on,
				meantOf(set, on, fmt.Sprintf("name it in with, as in with: [%s]", strings.Join(append(slices.Clone(s.With), on), ", "))))
		}
		d.alsoRules(path.field("ends").element(i), set, &s.Ends[i])
	}
}

// meantOf names the variable of the set that was probably meant. That they are fields of
// one type makes no two names alike.
func meantOf(set []string, name, otherwise string) string {
	if i := slices.IndexFunc(set, func(known string) bool { return alike(known, name) }); i >= 0 {
		return fmt.Sprintf("did you mean %q?", set[i])
	}
	return otherwise
}

// alsoRules checks that an end allows accesses to variables of the set.
func (d *decoder) alsoRules(path *where, set []string, e *End) {
	if len(e.Also) == 0 || d.doc.nodes[e] == nil {
		return
	}
	list := fieldNode(d.doc.nodes[e], "also")
	if len(set) == 1 {
		d.errorf(list, path.field("also"), "also is for one variable of several, and the section has no with; put read or write into allow")
		return
	}
	for i, text := range e.Also {
		if _, name := alsoOf(text); !slices.Contains(set, name) && i < len(list.Content) {
			d.errorf(list.Content[i], path.field("also").element(i), "the section is not about %s; %s", name,
				meantOf(set, name, "its variables are "+strings.Join(set, ", ")))
		}
	}
}

func (d *decoder) locationRule(n *yaml.Node, path *where, l *Location) {
	if l.Code == "" && l.Ordinal == 0 {
		d.errorf(n, path, "neither code nor ordinal says which access is meant; add code: %s", specExample("code"))
	}
}

// specExample returns the example of a field of Section or Location.
func specExample(name string) string {
	for _, t := range []reflect.Type{reflect.TypeFor[Section](), reflect.TypeFor[Location]()} {
		for i := range t.NumField() {
			if tag := t.Field(i).Tag; tag.Get("yaml") == name {
				return tag.Get("example")
			}
		}
	}
	return ""
}
