package sched

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// An Event is one decision of a trace.
type Event struct {
	Decision  uint64 `json:"decision"` // from 1
	Goroutine int    `json:"goroutine"`
	Operation string `json:"operation"`          // as in "lock of mutex 2"
	Location  string `json:"location"`           // file:line of the program
	Preempts  bool   `json:"preempts,omitempty"` // it took the token from somebody who could have gone on
}

// String returns the event as a line of a readable interleaving.
func (v Event) String() string {
	mark := " "
	if v.Preempts {
		mark = "*"
	}
	return fmt.Sprintf("%6d %s goroutine %-3d %s  %s", v.Decision, mark, v.Goroutine, v.Location, v.Operation)
}

// record keeps the decision for g.
func (e *engine) record(g *Goroutine, preempts bool) {
	if len(e.events) == 2*eventsKept {
		e.events = append(e.events[:0], e.events[eventsKept:]...)
	}
	e.events = append(e.events, Event{e.state.Decision, g.ID, e.describe(&g.Next), g.where, preempts})
}

// describe says in words what an operation is. Objects are numbered in the order
// in which they are first spoken of.
func (e *engine) describe(op *Operation) string {
	switch {
	case op.Kind == Accessing:
		verb := "read"
		if op.Write {
			verb = "write"
		}
		if op.Location.Variable == "" {
			return verb
		}
		return verb + " " + op.Location.Variable
	case op.Kind == Atomically && op.Location != nil:
		if op.Write {
			return "atomic write of " + op.Location.Variable
		}
		return op.Kind.String() + " " + op.Location.Variable
	case op.Kind == Selecting || op.Kind == Starting || op.Kind == Sleeping || op.Kind == Yielding || op.Kind == Returning:
		return op.Kind.String()
	case op.Object == nil:
		return op.Kind.String() + " on nil"
	}
	name, known := e.names[op.Object]
	if !known {
		name = fmt.Sprintf("%s %d", class(op.Kind), len(e.names)+1)
		if e.names == nil {
			e.names = make(map[unsafe.Pointer]string)
		}
		e.names[op.Object] = name
	}
	if op.Kind == Atomically && op.Write {
		return "atomic write of " + name
	}
	return op.Kind.String() + " " + name
}

// class is the sort of object that an operation is on.
func class(k Kind) string {
	switch k {
	case Sending, Receiving, Closing:
		return "channel"
	case Locking, RLocking, TryLocking:
		return "mutex"
	case Adding, WaitingAll:
		return "group"
	case CondWaiting:
		return "cond"
	case Networking:
		return "connection"
	case OnceDoing:
		return "once"
	}
	return "value"
}

// own is the import path of this package, which differs where it is a part of
// somebody's program.
var own = reflect.TypeFor[engine]().PkgPath() + "."

// position returns file:line of the program in the calling goroutine: the
// innermost frame that is neither here nor in the packages that call this one.
func position() string {
	where := "unknown"
	callers(func(frame runtime.Frame) bool {
		where = fmt.Sprintf("%s:%d", frame.File, frame.Line)
		return false
	})
	return where
}

// chainLength is how many calls a chain has: locks are often taken by a method that
// does nothing else.
const chainLength = 3

// chain returns the innermost calls of the program in the calling goroutine, without
// the folders that its files are in, as in lock.go:12@cache.go:40.
func chain() string {
	var calls []string
	callers(func(frame runtime.Frame) bool {
		calls = append(calls, fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line))
		return len(calls) < chainLength
	})
	return strings.Join(calls, "@")
}

// callers calls visit with the frames of the program in the calling goroutine, the
// innermost first, while it returns true.
func callers(visit func(runtime.Frame) bool) {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		frame, more := frames.Next()
		if frame.PC != 0 && !isLibrary(frame.Function) && !isNetwork(frame.Function) && !visit(frame) || !more {
			return
		}
	}
}

// isNetwork says whether a function belongs to a package whose reads and writes are told at
// the place of their caller.
func isNetwork(function string) bool {
	for _, prefix := range [...]string{"net.", "io.", "os.", "internal/poll."} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

// isLibrary says whether a function belongs to a package whose calls stand for
// those of its caller.
func isLibrary(function string) bool {
	for _, prefix := range [...]string{own, "sync.", "sync/", "internal/sync.", "time.", "runtime."} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}
