package heal

import (
	"fmt"
	"slices"
	"strings"
)

// Suggestion is an entry for the list of packages of an atomicity.yaml: the
// section with the end at which it was broken, confirmed. For a data race it is
// the variable without sections, all of whose accesses are watched from then on.
func (x Violation) Suggestion() string {
	v, s := x.Variable, x.Section
	var with []string
	if s != nil && x.Entry.Location.of() != nil {
		for _, m := range v.Members {
			if m != x.Entry.Location.of().Name {
				with = append(with, yamlText(m))
			}
		}
		v = x.Entry.Location.of()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "- package: %s\n  variables:\n    - variable: %s\n", yamlText(v.Package), yamlText(v.Name))
	if v.Type != "" {
		fmt.Fprintf(&b, "      type: %s\n", yamlText(v.Type))
	}
	if s == nil {
		b.WriteString("      sections: []\n")
		return b.String()
	}
	pattern := s.Pattern
	if pattern == "" {
		pattern = "user"
	}
	fmt.Fprintf(&b, "      sections:\n        - id: %s\n          pattern: %s\n          function: %s\n",
		yamlText(s.ID), pattern, yamlText(x.End.Location.Func))
	end := x.End.Location.yaml()
	if len(with) > 0 {
		fmt.Fprintf(&b, "          with: [%s]\n", strings.Join(with, ", "))
		if of := x.End.Location.of(); of.Name != v.Name {
			end = "variable: " + yamlText(of.Name) + ", " + end
		}
	}
	allow := x.Allow.yaml()
	for i, m := range x.Also {
		access := m.Mode.String() + " " + m.Variable
		if yamlText(m.Variable) != m.Variable {
			access = yamlText(access)
		}
		allow += []string{", also: [", ", "}[min(i, 1)] + access
	}
	if len(x.Also) > 0 {
		allow += "]"
	}
	fmt.Fprintf(&b, "          entry: {%s}\n          ends:\n            - {%s, allow: %s}\n",
		x.Entry.Location.yaml(), end, allow)
	b.WriteString("          origin: user\n          status: confirmed\n")
	return b.String()
}

// yaml is l as the specification has its locations: what reads and writes in
// one operation counts as a write there.
func (l *Location) yaml() string {
	mode := l.Mode
	if mode == ReadWrite {
		mode = Write
	}
	s := "access: " + mode.String()
	if l.Code() != "" {
		s += ", code: " + string(appendString(nil, l.Code()))
	}
	if l.Ordinal > 0 {
		s += fmt.Sprintf(", ordinal: %d", l.Ordinal)
	}
	return s + fmt.Sprintf(", line: %d", l.Line)
}

func (m Mode) yaml() string {
	return "[" + strings.Trim(m.set(), "{}") + "]"
}

// yamlWords mean something else than text to some readers of YAML.
var yamlWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// yamlText is s as it stands, if no reader could take it for anything but text,
// and quoted otherwise.
func yamlText(s string) string {
	plain := s != "" && !slices.Contains(yamlWords, strings.ToLower(s))
	for i, r := range s {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
		if !letter && (i == 0 || !('0' <= r && r <= '9' || strings.ContainsRune("./-#[]()*", r))) && !(i == 0 && r == '(') {
			plain = false
		}
	}
	if plain {
		return s
	}
	return string(appendString(nil, s))
}
