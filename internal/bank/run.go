package bank

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// An Outcome is what the oracle said of one run, or why it could not.
type Outcome string

const (
	OK      Outcome = "ok"
	Wrong   Outcome = "wrong"   // the invariant of the program broke
	Crash   Outcome = "crash"   // no verdict, or an exit status that denies it
	Timeout Outcome = "timeout" // stopped by the watchdog
)

// A Run is one execution of a program.
type Run struct {
	Outcome   Outcome
	Detail    string   // the oracle's line, or what went wrong
	Reports   int      // by atomrace, on standard error
	Met       int      // violations that atomrace counted, repeated ones included
	Races     int      // reports by the race detector of Go
	Escaped   bool     // a section was broken although it was healed
	Variables []string // named by atomrace's reports, sorted, each once
	Stderr    string   // at most maxOutput bytes
	Duration  time.Duration
}

const (
	// maxOutput bounds what is kept of each output of a run, in bytes; a program
	// that floods it must not exhaust the memory of the harness.
	maxOutput = 8 << 20
	// lastWords is how long a stopped program may take to write its goroutines'
	// stacks before it is killed.
	lastWords = 2 * time.Second
)

// execute runs the binary once. The error is about the harness (the binary
// cannot be started, ctx is done), never about the program.
func execute(ctx context.Context, binary string, o Options) (Run, error) {
	watched, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	cmd := exec.CommandContext(watched, binary)
	cmd.Env = append(os.Environ(), o.Env...)
	stdout, stderr := &bounded{max: maxOutput}, &bounded{max: maxOutput}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	// SIGQUIT makes a Go program print its stacks, which is what one wants to
	// see of a program that hung.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = lastWords

	begun := time.Now()
	err := cmd.Run()
	r := Run{Stderr: stderr.String(), Duration: time.Since(begun)}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && watched.Err() == nil {
		return r, fmt.Errorf("running %s: %w", binary, err)
	}
	r.readReports()
	if watched.Err() != nil {
		r.Outcome, r.Detail = Timeout, fmt.Sprintf("still running after %v", o.Timeout)
		return r, nil
	}
	r.judge(stdout.String(), cmd.ProcessState)
	return r, nil
}

// judge sets Outcome and Detail. The verdict is the last line of standard
// output that is one; the exit status must agree with it, but a detector that
// has reported something may replace a zero by its own exit code.
func (r *Run) judge(stdout string, state *os.ProcessState) {
	var verdict Outcome
	for line := range strings.Lines(stdout) {
		switch {
		case strings.HasPrefix(line, "ok: "):
			verdict, r.Detail = OK, strings.TrimSpace(line)
		case strings.HasPrefix(line, "WRONG: "):
			verdict, r.Detail = Wrong, strings.TrimSpace(line)
		}
	}
	status := state.ExitCode()
	reported := r.Reports+r.Races > 0
	switch {
	case verdict == OK && (status == 0 || status > 0 && reported):
		r.Outcome = OK
	case verdict == Wrong && (status == 1 || status > 0 && reported):
		r.Outcome = Wrong
	case verdict == "":
		r.Outcome, r.Detail = Crash, fmt.Sprintf("%v, without a verdict", state)
	default:
		r.Outcome, r.Detail = Crash, fmt.Sprintf("%v, after %q", state, r.Detail)
	}
}

const (
	atomraceHeader = "WARNING: ATOMRACE:"
	raceHeader     = "WARNING: DATA RACE"
)

// variableName finds the name in a report's header or in the lines that follow: of a
// variable, or {of, several}.
var variableName = regexp.MustCompile(`(?:violation|race) on (\{[^}]*\}|[^\s,;:]+)`)

// violationsMet finds their number in the summary at the end of a run.
var violationsMet = regexp.MustCompile(`^atomrace: ([0-9]{1,18}) violation\(s\)`)

// readReports counts the reports in r.Stderr and collects the names of their
// variables.
func (r *Run) readReports() {
	named := true // no report is waiting for its variable
	for line := range strings.Lines(r.Stderr) {
		if m := violationsMet.FindStringSubmatch(line); m != nil {
			r.Met, _ = strconv.Atoi(m[1]) // digits
		}
		r.Escaped = r.Escaped || strings.HasPrefix(line, "atomrace: ") && strings.Contains(line, "broken although healed")
		if strings.HasPrefix(line, raceHeader) {
			r.Races++
		}
		if strings.HasPrefix(line, atomraceHeader) {
			r.Reports++
			named = false
		}
		if named {
			continue
		}
		if m := variableName.FindStringSubmatch(line); m != nil {
			named = true
			r.Variables = append(r.Variables, m[1])
		}
	}
	slices.Sort(r.Variables)
	r.Variables = slices.Compact(r.Variables)
}

// bounded is a buffer that drops what exceeds max bytes.
type bounded struct {
	bytes.Buffer
	max int
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.max - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
