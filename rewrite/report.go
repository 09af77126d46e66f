package rewrite

import "fmt"

// String is the note on one line: file:line:col: variable: reason.
func (n Note) String() string {
	where := fmt.Sprintf("%s:%d:%d: ", n.File, n.Line, n.Column)
	if n.Variable == "" {
		return where + n.Reason
	}
	return where + n.Variable + ": " + n.Reason
}

// String says on one line which part of the spec is stale and why.
func (s Stale) String() string {
	if s.Section == "" {
		return fmt.Sprintf("%s: variable %s: %s", s.Package, s.Variable, s.Missing)
	}
	return fmt.Sprintf("%s: section %s: %s", s.Package, s.Section, s.Missing)
}
