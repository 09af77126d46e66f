package heal

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// The schemas of the lines that log_format=json writes, with their version:
// docs/reports.md describes them. A change that a reader of the present version
// would misunderstand gets a new version; new members do not.
const (
	schemaViolation = "atomrace.violation/1" // one distinct violation, at its first report
	schemaCount     = "atomrace.count/1"     // how often it has been seen by now
	schemaSummary   = "atomrace.summary/1"   // at the end of the program
	schemaNotice    = "atomrace.notice/1"    // anything else that people should know
)

// line is one JSON object on one line. Its first members are those of slog's
// JSON handler, so that it can stand among the program's own records.
func line(schema, level, msg string, at time.Time, members func(*encoder)) string {
	var e encoder
	e.object("", func() {
		e.text("time", at.Format(time.RFC3339Nano))
		e.text("level", level)
		e.text("msg", msg)
		e.text("schema", schema)
		e.number("pid", uint64(os.Getpid()))
		e.text("program", programName())
		members(&e)
	})
	return string(append(e.buf, '\n'))
}

func programName() string {
	if len(os.Args) == 0 {
		return ""
	}
	return baseName(os.Args[0])
}

// baseName is path.Base for the paths of every system.
func baseName(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }

// jsonLine is x with one of its foreign accesses.
func (x Violation) jsonLine(s sighting) string {
	x.ID, x.Count, x.Foreign = s.id, s.count, x.Foreign[s.index:s.index+1]
	return line(schemaViolation, "WARN", x.line(0), x.Time, x.members)
}

// MarshalJSON returns x as one JSON object, in the schema of the lines that
// log_format=json writes, without their first members.
func (x Violation) MarshalJSON() ([]byte, error) {
	var e encoder
	e.object("", func() { x.members(&e) })
	return e.buf, nil
}

// members writes what belongs to the violation itself.
func (x *Violation) members(e *encoder) {
	v := x.Variable
	e.text("id", x.ID)
	e.number("count", uint64(x.Count))
	e.text("kind", x.Kind)
	e.text("package", v.Package)
	e.text("variable", v.Name)
	e.text("type", v.Type)
	e.text("instance", fmt.Sprintf("%#x", x.Instance))
	e.text("key", x.Key)
	if x.Section != nil {
		e.text("section", x.Section.ID)
		e.text("pattern", x.Section.Pattern)
		e.list("allow", func() { e.modes(x.Allow) })
	}
	e.list("accesses", func() {
		if x.Section == nil {
			e.access("first", x.End)
			e.access("second", x.Foreign[0])
			return
		}
		e.access("entry", x.Entry)
		for _, a := range x.Foreign {
			e.access("foreign", a)
		}
		e.access("end", x.End)
	})
	e.truth("more", x.More)
	e.text("healing", x.Healing)
	e.text("suggestion", x.Suggestion())
}

func (e *encoder) modes(m Mode) {
	for _, one := range []Mode{Read, Write} {
		if m&one != 0 {
			e.text("", one.String())
		}
	}
}

func (e *encoder) access(role string, a Access) {
	l := a.Location
	e.object("", func() {
		e.text("role", role)
		e.text("mode", a.Mode.String())
		e.text("file", l.File)
		e.number("line", uint64(l.Line))
		e.number("column", uint64(l.Column))
		e.text("function", l.Func)
		e.text("code", l.Code)
		e.number("goroutine", a.Goroutine)
		if a.Times > 1 {
			e.number("times", uint64(a.Times))
		}
		e.truth("several", a.several)
		if stack := a.Stack(); len(stack) > 0 {
			e.list("stack", func() {
				for _, f := range stack {
					e.object("", func() { e.place(f.Function, f.File, f.Line) })
				}
			})
		}
		if c := a.created; c != nil {
			e.object("created", func() {
				e.place(c.Function, c.File, c.Line)
				e.number("goroutine", c.Goroutine)
			})
		}
	})
}

func (e *encoder) place(function, file string, line int) {
	e.text("function", function)
	e.text("file", shorten(file))
	e.number("line", uint64(line))
}

// countLine says that the violation id has been seen n times by now.
func countLine(msg, id string, n int) string {
	return line(schemaCount, "INFO", msg, time.Now(), func(e *encoder) {
		e.text("id", id)
		e.number("count", uint64(n))
	})
}

// noticeLine is a remark that belongs to no violation.
func noticeLine(msg string) string {
	return line(schemaNotice, "WARN", msg, time.Now(), func(*encoder) {})
}

// summaryLine is the JSON form of the summary.
func summaryLine(s Statistics, seen []tally) string {
	return line(schemaSummary, "INFO", s.total(), time.Now(), func(e *encoder) {
		e.number("violations", s.Violations)
		e.number("distinct", uint64(s.Distinct))
		e.number("waits", s.Waits)
		e.number("timeouts", s.Timeouts)
		e.number("yields", s.Yields)
		e.list("counts", func() {
			for _, t := range seen {
				e.object("", func() {
					e.text("id", t.id)
					e.number("count", uint64(t.count))
				})
			}
		})
	})
}
