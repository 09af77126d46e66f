package sched

import (
	"strconv"
	"unsafe"
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
}

// String returns file:line:column.
func (l *Location) String() string {
	s := l.File + ":" + strconv.Itoa(l.Line)
	if l.Column > 0 {
		s += ":" + strconv.Itoa(l.Column)
	}
	return s
}

// Access is the scheduling point directly before the access of the size bytes at
// addr, a write or a read. Between its return and the access there must be no
// other operation. It does nothing outside of control.
func Access(loc *Location, addr unsafe.Pointer, size uintptr, write bool) {}

// A Section is a part of a program that should be atomic for one variable: the
// atomic sections of papers/001, from atomicity.yaml or the analyzers.
type Section struct {
	ID       string // as in atomicity.yaml
	Variable string
	File     string // where it begins
	Line     int
}

// Enter begins the section over the size bytes at addr for the calling goroutine.
// It stands directly before the Access that opens the section and is no point of
// its own. A section that is entered again while it is open counts.
func Enter(section *Section, addr unsafe.Pointer, size uintptr) {}

// Leave ends what Enter began, on every way out of the section. It does nothing
// if the calling goroutine is not inside.
func Leave(section *Section, addr unsafe.Pointer) {}

// Atomic is the scheduling point before an operation on a value of sync/atomic or
// on a sync.Map; write says whether it may change the value.
func Atomic(addr unsafe.Pointer, write bool) {}
