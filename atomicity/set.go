package atomicity

import (
	"fmt"
	"slices"
	"strings"
)

// A section over a set of variables (Section.With) says that they belong together, as
// the atomic sets of Vaziri, Tip and Dolby (POPL 2006) do: what another goroutine does
// to one of them counts between any two accesses to them. Violations of that kind,
// which no section over a single variable shows, are the multi-variable ones of MUVI
// (Lu et al., SOSP 2007).
//
// The variables of a set must have one place in common, for the runtime knows a
// variable by its address: fields of one struct type, which the address of the struct
// stands for, or package-level variables, of which there is one each.

// Set returns the variables that the section is about, given the one it stands under:
// that one alone, or with the others sorted by name.
func (s *Section) Set(variable string) []string {
	set := append([]string{variable}, s.With...)
	slices.Sort(set)
	return slices.Compact(set)
}

// SetName names a set of variables, such as {Account.balance, Account.version}.
func SetName(variables []string) string { return "{" + strings.Join(variables, ", ") + "}" }

// On is the variable that the end accesses, in a section that stands under variable.
func (e *End) On(variable string) string {
	if e.Variable != "" {
		return e.Variable
	}
	return variable
}

// setMistake says why the variable cannot be one of a set with first, or nothing.
func setMistake(variable, first string) string {
	owner, why := setOwner(variable)
	other, _ := setOwner(first)
	switch {
	case why != "":
		return variable + " " + why
	case owner == other:
		return ""
	case owner == "" || other == "":
		return fmt.Sprintf("%s and %s are a field and a package-level variable, which have no place in common", first, variable)
	}
	return fmt.Sprintf("%s and %s are fields of two types, which have no place in common", first, variable)
}

// setOwner is the type or variable whose field the name is, empty for a package-level
// variable, or why the variable cannot be in a set.
func setOwner(variable string) (owner, why string) {
	owner, _, field := strings.Cut(variable, ".")
	switch {
	case strings.HasSuffix(variable, "[]"):
		return "", "are the contents of a variable, and a set holds fields and package-level variables"
	case strings.Contains(variable, "/"):
		return "", "is declared in another package, and a set is of one"
	case strings.ContainsAny(variable, "(#"):
		return "", "is captured by a function, and a set holds fields and package-level variables"
	case !field:
		return "", ""
	}
	return owner, ""
}

// renameSet gives the other variables of the section new names.
func (s *Section) renameSet(now func(name string) string) {
	for i, name := range s.With {
		s.With[i] = now(name)
	}
	for i := range s.Ends {
		if e := &s.Ends[i]; e.Variable != "" {
			e.Variable = now(e.Variable)
		}
	}
}
