//go:build !atomrace_off

package heal

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// summarised keeps the summary from being printed twice.
var summarised atomic.Bool

// Exit is deferred first in main.main: it prints the summary, and ends the
// program with ATOMRACE's exitcode if there were violations and that is not 0;
// violations of sections with a doubt do not count.
// While main panics it leaves the status alone.
func Exit() {
	summarise()
	if code := ExitCode(0); code != 0 && !unwinding() {
		os.Exit(code)
	}
}

// ExitCode prints the summary and returns the status with which the program
// should end that wants to end with c: ATOMRACE's exitcode if c is 0 and there
// were violations, those of sections with a doubt aside.
func ExitCode(c int) int {
	summarise()
	if c == 0 && Stats().grave() > 0 {
		return settings().exitCode
	}
	return c
}

// ExitFunc is os.Exit as a value, or deferred: the status is found when it is called.
func ExitFunc(exit func(int)) func(int) {
	return func(c int) { exit(ExitCode(c)) }
}

// unwinding reports whether the caller's deferred functions run because of a
// panic or Goexit, without touching it.
func unwinding() bool {
	var pcs [64]uintptr
	n := runtime.Callers(0, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" || f.Function == "runtime.Goexit" {
			return true
		}
		if !more {
			return false
		}
	}
}

// summarise prints what the rate has withheld, one line for each distinct
// violation and one in total, once; nothing if there was nothing.
func summarise() {
	defer flushStreams()
	c := settings()
	c.remember(true)
	all, of := withheld()
	for i, x := range all {
		emit(c, x.render(c, of[i:i+1]))
	}
	if !c.summary || c.off || !summarised.CompareAndSwap(false, true) {
		return
	}
	if s := summary(c); s != "" {
		emit(c, s)
	}
	if s := c.missed(); s != "" {
		notify(c, s)
	}
}

func summary(c *config) string {
	s := Stats()
	var b strings.Builder
	seen := tallies()
	if c.json {
		if s.total() == "" {
			return ""
		}
		return summaryLine(s, seen)
	}
	for _, t := range seen {
		fmt.Fprintf(&b, "atomrace: %d x %s\n", t.count, t.line)
	}
	if total := s.total(); total != "" {
		fmt.Fprintf(&b, "atomrace: %s\n", total)
	}
	return b.String()
}

// RunTests is the TestMain of a package that has none.
func RunTests(m interface{ Run() int }) { os.Exit(ExitCode(m.Run())) }

// watching holds what was known when each running test began, by its T.
var watching watches

type watches struct {
	sync.Mutex
	since map[any]uint64 // violations before
}

// begin counts for t from now on; false if it does so already.
func (w *watches) begin(t any) bool {
	n := Stats().grave()
	w.Lock()
	defer w.Unlock()
	if w.since == nil {
		w.since = make(map[any]uint64)
	}
	if _, known := w.since[t]; known {
		return false
	}
	w.since[t] = n
	return true
}

// again counts for t from now on, if it does so already.
func (w *watches) again(t any) {
	n := Stats().grave()
	w.Lock()
	defer w.Unlock()
	if _, known := w.since[t]; known {
		w.since[t] = n
	}
}

func (w *watches) end(t any) uint64 {
	w.Lock()
	defer w.Unlock()
	n := w.since[t]
	delete(w.since, t)
	return n
}

// Watch is the first thing that a test does: at its end, when its parallel
// subtests are over, it fails if violations were found while it ran and
// ATOMRACE's exitcode is not 0, those of sections with a doubt aside. As with the race detector, a violation counts for
// all the tests that run at the time.
func Watch(t T) {
	if !watching.begin(t) {
		return // one test has called another
	}
	t.Cleanup(func() {
		t.Helper()
		n := Stats().grave() - watching.end(t)
		if n > 0 && settings().exitCode != 0 {
			t.Errorf("atomrace: %d violation(s) found while %s ran%s", n, t.Name(), strings.TrimRight("\n"+unshown.String(), "\n"))
		}
	})
}

// Subtest is f with Watch before it: what Run gets that is no literal.
func Subtest[X T](f func(X)) func(X) {
	return func(t X) {
		Watch(t)
		f(t)
	}
}

// Parallel is t.Parallel(): what is found while t waits for its turn does not
// count for it.
func Parallel(t interface{ Parallel() }) {
	t.Parallel()
	watching.again(t)
}
