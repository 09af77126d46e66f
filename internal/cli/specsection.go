package cli

import (
	"github.com/atomrace/atomrace/atomicity"
)

// sectionJSON is a section as -json prints it: the fields of atomicity.yaml
// under their names there, with where it stands.
type sectionJSON struct {
	Package  string         `json:"package"`
	Variable string         `json:"variable"`
	Type     string         `json:"type,omitempty"`
	ID       string         `json:"id"`
	Pattern  string         `json:"pattern"`
	Function string         `json:"function"`
	With     []string       `json:"with,omitempty"`
	Entry    locationJSON   `json:"entry"`
	Ends     []locationJSON `json:"ends"`
	Origin   string         `json:"origin"`
	Status   string         `json:"status"`
	Reason   string         `json:"reason,omitempty"`
	Heal     string         `json:"heal,omitempty"`
	Assured  string         `json:"assurance,omitempty"`
	Doubt    string         `json:"doubt,omitempty"`
	Stale    string         `json:"stale,omitempty"`
	Evidence *evidenceJSON  `json:"evidence,omitempty"`
	Note     string         `json:"note,omitempty"`

	atomicity.Position
}

// evidenceJSON is what refine has counted.
type evidenceJSON struct {
	Runs     int `json:"runs"`
	Correct  int `json:"correct"`
	Broken   int `json:"broken"`
	Harmless int `json:"harmless"`
	Seed     int `json:"seed"`
}

// locationJSON is an entry, or an end with what it allows.
type locationJSON struct {
	Variable string   `json:"variable,omitempty"` // of an end on another one
	Access   string   `json:"access"`
	Code     string   `json:"code,omitempty"`
	Ordinal  int      `json:"ordinal,omitempty"`
	Line     int      `json:"line,omitempty"`
	Allow    []string `json:"allow,omitzero"` // nil for an entry
	Also     []string `json:"also,omitempty"`
}

func newSectionJSON(spec *atomicity.Spec, p atomicity.Place) sectionJSON {
	s := p.Section
	j := sectionJSON{
		Package: p.Package.Path, Variable: p.Variable.Name, Type: p.Variable.Type,
		ID: s.ID, Pattern: string(s.Pattern), Function: s.Function, With: s.With,
		Entry: newLocationJSON(s.Entry), Origin: s.Origin, Status: string(s.Status),
		Reason: s.Reason, Heal: string(s.Heal), Assured: string(s.Assurance), Doubt: s.Doubt, Stale: string(s.Stale), Note: s.Note,
		Position: spec.Position(s, ""),
	}
	if s.Evidence.Runs > 0 {
		e := evidenceJSON(s.Evidence)
		j.Evidence = &e
	}
	for _, e := range s.Ends {
		end := newLocationJSON(e.Location)
		end.Allow, end.Also, end.Variable = e.Allow.Names(), e.Also, e.Variable
		j.Ends = append(j.Ends, end)
	}
	return j
}

func newLocationJSON(l atomicity.Location) locationJSON {
	return locationJSON{Access: l.Access.Names()[0], Code: l.Code, Ordinal: l.Ordinal, Line: l.Line}
}
