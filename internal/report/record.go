package report

import (
	"strings"
	"time"
)

// version is what follows the slash in the schemas that this package reads.
const version = "1"

const schemaPrefix = "atomrace."

// line is any line of a log; which members count depends on the schema.
type line struct {
	Violation
	Counts []struct {
		ID    string `json:"id"`
		Count int    `json:"count"`
	} `json:"counts"`
	Waits    uint64 `json:"waits"`
	Timeouts uint64 `json:"timeouts"`
	Yields   uint64 `json:"yields"`
}

// Violation is one distinct violation, as docs/reports.md describes it.
type Violation struct {
	Time       time.Time `json:"time"`
	Level      string    `json:"level"`
	Msg        string    `json:"msg"`
	Schema     string    `json:"schema"`
	PID        int       `json:"pid"`
	Program    string    `json:"program,omitempty"`
	ID         string    `json:"id"`
	Count      int       `json:"count"` // in a Log: of all processes
	Kind       string    `json:"kind"`
	Package    string    `json:"package"`
	Variable   string    `json:"variable"`
	Type       string    `json:"type,omitempty"`
	Instance   string    `json:"instance,omitempty"`
	Key        string    `json:"key,omitempty"`
	Section    string    `json:"section,omitempty"`
	Pattern    string    `json:"pattern,omitempty"`
	Allow      []string  `json:"allow,omitempty"`
	Also       []string  `json:"also,omitempty"`
	Accesses   []Access  `json:"accesses"`
	More       bool      `json:"more,omitempty"`
	Doubt      string    `json:"doubt,omitempty"`
	Healing    string    `json:"healing,omitempty"`
	Suggestion string    `json:"suggestion,omitempty"`

	// Processes are those that saw it, in the order in which they were read.
	Processes []Process `json:"processes,omitempty"`
}

// Process is one process that saw a violation.
type Process struct {
	Program string `json:"program,omitempty"`
	PID     int    `json:"pid"`
	Count   int    `json:"count"`
}

// Access is one access of a violation, in the order in which they happened.
type Access struct {
	Role      string  `json:"role"` // entry, foreign, end; first, second
	Mode      string  `json:"mode"`
	Variable  string  `json:"variable,omitempty"` // of a set, the one accessed
	File      string  `json:"file"`
	Line      int     `json:"line"`
	Column    int     `json:"column,omitempty"`
	Function  string  `json:"function,omitempty"`
	Code      string  `json:"code,omitempty"`
	Goroutine uint64  `json:"goroutine,omitempty"`
	Times     int     `json:"times,omitempty"`
	Several   bool    `json:"several,omitempty"`
	Before    string  `json:"before,omitempty"` // the value around the access, as far as it was seen
	After     string  `json:"after,omitempty"`
	Stack     []Place `json:"stack,omitempty"`
	Created   *Place  `json:"created,omitempty"`
}

// Place is a frame of a stack, or where a goroutine was started.
type Place struct {
	Function  string `json:"function"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Goroutine uint64 `json:"goroutine,omitempty"` // that started the other
}

// fault says what is missing in v; empty if nothing is.
func (v *Violation) fault() string {
	switch {
	case v.ID == "":
		return "no id"
	case v.Kind == "":
		return "no kind"
	case v.Variable == "":
		return "no variable"
	case len(v.Accesses) < 2:
		return "fewer than two accesses"
	}
	for _, a := range v.Accesses {
		if a.File == "" || a.Line < 1 || a.Role == "" {
			return "an access without role, file or line"
		}
	}
	return ""
}

// IsRace says whether v is a data race, and no broken section.
func (v *Violation) IsRace() bool { return v.Section == "" }

// Act is what the access did; in a set of variables, to which one.
func (a Access) Act() string {
	switch {
	case a.Variable == "":
		return a.Mode
	case a.Mode == "write":
		return a.Mode + " to " + a.Variable
	}
	return a.Mode + " of " + a.Variable
}

// Value says what was seen of the value; empty if nothing was.
func (a *Access) Value() string {
	var s string
	switch {
	case a.Before == "" && a.After == "":
		return ""
	case a.After == "":
		s = "value before: " + a.Before
	case a.Before == "":
		s = "value after: " + a.After
	case a.Before != a.After:
		s = "value changed: " + a.Before + " -> " + a.After
		if a.Role == "first" { // of a data race, whoever did it
			s = "value changed meanwhile: " + a.Before + " -> " + a.After
		}
	case a.Mode == "read":
		s = "value: " + a.Before
	default:
		s = "value unchanged: " + a.Before
	}
	if a.Times > 1 {
		s += " (the first time)"
	}
	return s
}

// lastName is the last part of the name of the variable that a, one of the accesses,
// is to, as it stands in the source.
func (v *Violation) lastName(a *Access) string {
	name := v.Variable
	if a.Variable != "" {
		name = a.Variable
	}
	name, _, _ = strings.Cut(strings.TrimSuffix(name, "[]"), "#")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// schemaOf splits "atomrace.violation/1".
func schemaOf(schema string) (name, version string, ours bool) {
	rest, ours := strings.CutPrefix(schema, schemaPrefix)
	name, version, _ = strings.Cut(rest, "/")
	return name, version, ours
}
