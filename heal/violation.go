package heal

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// The kinds of violations.
const (
	AtomicityViolation = "atomicity violation" // papers/001 Figure 3
	DataRace           = "data race"           // papers/001 Figure 2
)

// Violation is what the detector found at one moment. It shares nothing with
// heal's own state and may be kept.
type Violation struct {
	Kind     string
	Variable *Variable
	Instance uintptr // address of the variable, or of the map that contains it
	Key      string  // of the map entry; a value of a basic type, else its type's name
	Section  *Section
	Allow    Mode // foreign accesses that would not have broken the section
	Also     []MemberAccess
	Entry    Access // where the section began
	// End is where the section ended, or for a data race the access that came
	// first. Its goroutine is the one that was monitored.
	End Access
	// Foreign are the accesses that broke in, one for each location and mode; for
	// a data race the second one.
	Foreign []Access
	More    bool   // there were further ones, beyond ATOMRACE's history
	Healing string // what was done about it

	// ID names the distinct violation, the same one in every run and every process
	// of the program: section, end and foreign location, or the two locations of a
	// data race. Of several foreign accesses it is the one seen most often.
	ID    string
	Count int // how often that one has been seen in this process, this time included
	Time  time.Time
}

// doubt says why x does no harm, as far as the code tells; empty if it is a failure.
func (x *Violation) doubt() string {
	if x.Section == nil {
		return ""
	}
	return x.Section.Doubt
}

// position renders where l stands in the source.
func (l *Location) position() string { return fmt.Sprintf("%s:%d", l.File, l.Line) }

// Access is one side of a Violation.
type Access struct {
	Location  *Location
	Mode      Mode   // how it really went: a CompareAndSwap that failed only read
	Goroutine uint64 // as in a traceback; 0 if it could not be found out
	Times     int    // how often it happened in this section
	stack     []uintptr
	created   *Creation
	several   bool // by other goroutines as well: Goroutine and stack are the first one's
	change    change
}

// Attrs returns what identifies x as alternating keys and values, which slog's
// functions take. There is no slog.Value, for heal would have to import slog.
func (x Violation) Attrs() []any {
	attrs := []any{"id", x.ID, "count", x.Count, "package", x.Variable.Package, "variable", x.Variable.Name,
		"instance", fmt.Sprintf("%#x", x.Instance)}
	if x.Key != "" {
		attrs = append(attrs, "key", x.Key)
	}
	if x.Section != nil {
		attrs = append(attrs, "section", x.Section.ID, "pattern", x.Section.Pattern, "entry", x.Entry.Location.position(), "end", x.End.Location.position())
	} else {
		attrs = append(attrs, "first", x.End.Location.position())
	}
	for _, a := range x.Foreign {
		attrs = append(attrs, "foreign", a.Location.position())
	}
	if why := x.doubt(); why != "" {
		attrs = append(attrs, "doubt", why)
	}
	return append(attrs, "healing", x.Healing)
}

// Stack returns the call stack of the access, innermost first and without
// heal's own frames; nil if it is not known.
func (a Access) Stack() []runtime.Frame {
	if len(a.stack) == 0 {
		return nil
	}
	var frames []runtime.Frame
	iter := runtime.CallersFrames(a.stack)
	for {
		frame, more := iter.Next()
		if frame.Function != "" && !own(frame) {
			frames = append(frames, frame)
		}
		if !more {
			return frames
		}
	}
}

// Created returns where the goroutine of the access was started; nil if that is
// not known, and for the main goroutine.
func (a Access) Created() *Creation { return a.created }

// ownPrefix starts the names of this package's functions, whatever import
// path the package was given.
var ownPrefix = func() string {
	pc, _, _, ok := runtime.Caller(0)
	if !ok {
		return "\x00"
	}
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return "\x00"
	}
	return name[:slash+dot+1]
}()

// own reports whether frame is heal's, or the runtime's lowest, and so of no
// interest to the reader. The package's own tests play the program.
func own(frame runtime.Frame) bool {
	return frame.Function == "runtime.goexit" ||
		strings.HasPrefix(frame.Function, ownPrefix) && !strings.HasSuffix(frame.File, "_test.go")
}

const maxStack = 40 // frames remembered of an access

// callers returns the caller's stack; heal's frames are left out when it is
// rendered.
//
//go:norace
func callers() []uintptr {
	var buf [maxStack]uintptr
	n := runtime.Callers(2, buf[:])
	return copyOf(buf[:n])
}

// copyOf returns a copy that the caller has allocated: what another goroutine
// allocated, the race detector would not let it read.
//
//go:norace
func copyOf(pcs []uintptr) []uintptr {
	if len(pcs) == 0 {
		return nil
	}
	c := make([]uintptr, len(pcs))
	//lint:ignore S1001 copy would show the race detector our own reads
	for i := range pcs {
		c[i] = pcs[i]
	}
	return c
}
