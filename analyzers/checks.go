package analyzers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/internal/docs"
)

// Check is what is known about one category of diagnostics of one analyzer; see
// the fields. It comes from the analyzer's doc.go.
type Check = docs.Check

// Checks returns every check of every analyzer, sorted by id, then by analyzer
// in the order of All. It panics when the doc.go of an analyzer is not complete:
// a mistake in the source that a test shows. The caller owns the slice.
func Checks() []Check {
	var checks []Check
	for _, a := range All() {
		of, err := docs.Checks(a.Name, a.Doc)
		if err != nil {
			panic(err)
		}
		checks = append(checks, of...)
	}
	slices.SortStableFunc(checks, func(a, b Check) int { return cmp.Compare(a.ID, b.ID) })
	return checks
}

// Explain returns the text about the check id for a terminal, or false if there
// is no such check.
func Explain(id string) (string, bool) {
	checks := checksOf(id)
	if len(checks) == 0 {
		return "", false
	}
	return docs.Text(checks), true
}

// Markdown returns the text about the check id as it stands in docs/checks.md,
// without its heading, or "" if there is no such check.
func Markdown(id string) string {
	checks := checksOf(id)
	if len(checks) == 0 {
		return ""
	}
	_, text, _ := strings.Cut(docs.Markdown(2, checks), "\n")
	return strings.TrimSpace(text) + "\n"
}

// CheckURL is the address of the entry of the check id in docs/checks.md.
func CheckURL(id string) string { return docs.CheckURL(id) }

// Page returns docs/checks.md: a list of all checks and an entry for each.
func Page() string {
	var list, entries strings.Builder
	checks := Checks()
	for len(checks) > 0 {
		id := checks[0].ID
		of := checksOf(id)
		checks = checks[len(of):]
		titles := make([]string, len(of))
		for i, c := range of {
			titles[i] = c.Title
		}
		list.WriteString("| [" + id + "](#" + id + ") | " + of[0].Severity + " | " + strings.Join(titles, "; ") + " |\n")
		entries.WriteString("\n" + docs.Markdown(2, of))
	}
	return pageHead + list.String() + entries.String()
}

func checksOf(id string) []Check {
	return slices.DeleteFunc(Checks(), func(c Check) bool { return c.ID != id })
}

const pageHead = `<!-- Generated from the doc.go of the analyzers by: go run ./internal/checkdocs > docs/checks.md -->

# Checks

What ` + "`atomrace check`" + ` and ` + "`go vet -vettool`" + ` report. The id of a check is the category
of its diagnostics; ` + "`atomrace check -explain ID`" + ` prints its entry, and

    //atomrace:ignore ID reason

on the line of a report, or alone on the line above, silences it there. Several ids
are separated by commas. For one section for good, set its status in
[atomicity.yaml](atomicity-yaml.md) to rejected.

| check | severity | |
|---|---|---|
`
