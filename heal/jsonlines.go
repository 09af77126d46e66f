//go:build !atomrace_off

package heal

import (
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
	level := "WARN"
	if x.doubt() != "" {
		level = "INFO"
	}
	return line(schemaViolation, level, x.line(0), x.Time, x.members)
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
		e.number("doubted", s.Doubted)
		e.number("waits", s.Waits)
		e.number("timeouts", s.Timeouts)
		e.number("yields", s.Yields)
		e.number("prevented", s.Prevented)
		e.number("escaped", s.Escaped)
		e.number("cycles", s.Cycles)
		e.number("breakers", s.Breakers)
		e.number("unhealed", s.Unhealed)
		e.number("delayed", uint64(s.Delayed))
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
