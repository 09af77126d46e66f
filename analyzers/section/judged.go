package section

import (
	"strings"

	"github.com/atomrace/atomrace/analyzers/verdict"
	"github.com/atomrace/atomrace/atomicity"
)

// judged finds for each candidate what atomicity.yaml says of its section.
// Candidates of one variable are looked up together, as infer does, so that two
// that look alike are not taken for the same section.
func judged(said *verdict.Result, candidates []*Candidate) map[*Candidate]*atomicity.Section {
	byVariable := map[string][]*Candidate{}
	for _, c := range candidates {
		if c.Section != nil {
			byVariable[c.Name] = append(byVariable[c.Name], c)
		}
	}
	found := map[*Candidate]*atomicity.Section{}
	for name, list := range byVariable {
		sections := make([]*atomicity.Section, len(list))
		for i, c := range list {
			sections[i] = c.Section
		}
		for i, s := range said.Sections(name, sections) {
			if s != nil {
				found[list[i]] = s
			}
		}
	}
	for _, c := range candidates { // or of one that a person wrote over both variables
		if found[c] == nil && c.EndName != "" && c.Entry.Func != nil {
			if s := said.Set(c.Name, c.Entry, c.EndName, c.Ends[0]); s != nil {
				found[c] = s
			}
		}
	}
	return found
}

// wanted says whether the candidate is to be reported. Rejected sections never
// are. Confirmed ones always are: the person knows more than the analyzer.
func (c *Candidate) wanted(s *atomicity.Section, doubtful bool) bool {
	likely := c.Sure || doubtful && c.Doubt != ""
	switch {
	case s == nil:
		return likely
	case s.Status == atomicity.Rejected:
		return false
	}
	return likely || s.Status == atomicity.Confirmed
}

// remark is what the message says of a confirmed section, and else of a doubtful
// one.
func (c *Candidate) remark(said *verdict.Result, s *atomicity.Section) string {
	if s == nil || s.Status != atomicity.Confirmed {
		if !c.Sure && c.Doubt != "" {
			return " (doubtful: " + c.Doubt + ")"
		}
		return ""
	}
	file := said.File(s)
	if note := strings.Join(strings.Fields(s.Note), " "); note != "" {
		return " (confirmed in " + file + ": " + note + ")"
	}
	return " (confirmed in " + file + ")"
}
