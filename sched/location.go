package sched

import (
	"strconv"
	"strings"
)

// A Location is a place in the source where a variable is accessed, a statement
// σ of papers/000. The rewriter makes one for each and never changes it.
type Location struct {
	File     string // path as the program's own tracebacks show it
	Line     int    // from 1
	Column   int    // from 1; 0 if not known
	Func     string // the function around, as in package.Type.Method
	Variable string // the variable accessed, as in package.Type.field
	ID       string // stable name of the location, equal in all builds of the same source
	Update   bool   // an operation of sync/atomic or of a sync.Map that both reads and writes

	Entry []*Section // sections that begin with the access
	Ends  []End      // and those that it ends

	asked uint32 // the run in which the strategy said whether it is a point, times two; the lowest bit is the answer
}

// isInSection says whether a section begins or ends with the access.
func (l *Location) isInSection() bool { return len(l.Entry) > 0 || len(l.Ends) > 0 }

// String returns file:line:column.
func (l *Location) String() string {
	s := l.File + ":" + strconv.Itoa(l.Line)
	if l.Column > 0 {
		s += ":" + strconv.Itoa(l.Column)
	}
	return s
}

// matches says whether name, as in Options.Pair, means the location: its ID,
// file:line or file:line:column, where file may be the end of its path. A letter r or
// w behind it means only reads or writes there, as one of the two of x++, which the
// ID tells apart.
func (l *Location) matches(name string) bool {
	if name == "" {
		return false
	}
	if name == l.ID {
		return true
	}
	for letter, mode := range map[string]string{"r": "/read#", "w": "/write#"} {
		if place, ok := strings.CutSuffix(name, letter); ok && place != "" && place[len(place)-1] >= '0' && place[len(place)-1] <= '9' {
			return strings.Contains(l.ID, mode) && l.matches(place)
		}
	}
	line := l.File + ":" + strconv.Itoa(l.Line)
	return endsPath(line, name) || endsPath(line+":"+strconv.Itoa(l.Column), name)
}

// endsPath says whether end is path, or its end from the beginning of an element.
func endsPath(path, end string) bool {
	rest, ok := strings.CutSuffix(path, end)
	return ok && (rest == "" || strings.HasSuffix(rest, "/"))
}
