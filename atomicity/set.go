package atomicity

import (
	"fmt"
	"iter"
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

// Allows are the foreign accesses to the variable that do not break the section at this
// end: those of Allow and, for a variable of a set, of Also.
func (e *End) Allows(variable string) AccessSet {
	set := e.Allow
	for name, mode := range e.AlsoAllowed() {
		if name == variable {
			set |= mode
		}
	}
	return set
}

// AlsoAllowed yields the elements of Also, each a variable and the access to it.
func (e *End) AlsoAllowed() iter.Seq2[string, AccessSet] {
	return func(yield func(string, AccessSet) bool) {
		for _, text := range e.Also {
			if mode, name := alsoOf(text); !yield(name, mode) {
				return
			}
		}
	}
}

// alsoOf takes an element of also apart.
func alsoOf(text string) (mode AccessSet, variable string) {
	word, variable, _ := strings.Cut(text, " ")
	for _, m := range accessNames {
		if m.name == word {
			mode = m.mode
		}
	}
	return mode, variable
}

// benign reports whether no foreign access to one of the variables breaks the section at
// this end.
func (e *End) benign(set []string) bool {
	return !slices.ContainsFunc(set, func(v string) bool { return e.Allows(v) != ReadWrite })
}

// Equal compares all that two ends say.
func (e *End) Equal(o End) bool {
	return e.Variable == o.Variable && e.Location == o.Location && e.Allow == o.Allow && slices.Equal(e.Also, o.Also)
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
		e := &s.Ends[i]
		if e.Variable != "" {
			e.Variable = now(e.Variable)
		}
		for j, text := range e.Also {
			word, name, _ := strings.Cut(text, " ")
			e.Also[j] = word + " " + now(name)
		}
	}
}
