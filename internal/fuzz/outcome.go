package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/internal/pattern"
	"github.com/atomrace/atomrace/sched"
)

// Kinds of failures, and how grave.
const (
	KindPanic    = "panic"
	KindFatal    = "fatal error" // of Go's runtime
	KindRace     = "data race"   // reported by Go's detector, in a build with -race
	KindDeadlock = "deadlock"
	KindTest     = "test failed"
	KindExit     = "exit"    // with a status other than 0
	KindLimit    = "no end"  // within the limit of decisions
	KindTimeout  = "timeout" // within the time that a run may take
	KindLeak     = "leak"    // goroutines that are blocked for ever
	KindHeld     = "held up" // failed for a goroutine that was held back while time passed, it seems
)

// failure is what went wrong in the run, with a message of one line; the kind is
// empty when nothing did.
func (r *Run) failure() (kind, message string) {
	output := string(r.Output)
	switch {
	case r.Stopped:
		return KindTimeout, fmt.Sprintf("still running after %v", r.Elapsed.Round(1e8))
	case r.Record.Outcome == sched.OutcomeDeadlock || r.ExitCode == sched.ExitDeadlock:
		return KindDeadlock, deadlock(r.Record.Message)
	case r.Record.Outcome == sched.OutcomeLimit || r.ExitCode == sched.ExitLimit:
		return KindLimit, fmt.Sprintf("still running after %d decisions", r.Record.Decisions)
	case r.ExitCode == 0:
		return "", ""
	case strings.Contains(output, "WARNING: DATA RACE"):
		return KindRace, "reported by Go's race detector"
	}
	if m := fatalLine.Regexp().FindStringSubmatch(output); m != nil {
		return KindFatal, m[1]
	}
	if m := panicLine.Regexp().FindStringSubmatch(output); m != nil {
		message := m[1]
		if i := strings.Index(message, " [recovered"); i >= 0 {
			message = message[:i]
		}
		return KindPanic, message
	}
	if strings.Contains(output, "--- FAIL") {
		if m := testLine.Regexp().FindStringSubmatch(output); m != nil {
			return KindTest, m[1]
		}
		return KindTest, ""
	}
	message = fmt.Sprintf("status %d", r.ExitCode)
	if said := telling(output); said != "" {
		message += ", saying: " + said
	}
	return KindExit, message
}

// isHeldUp says whether a failure of that kind says nothing: the test expected something
// of a goroutine within a time that passed while this one was held back, for nothing that
// was broken or raced.
func (r *Run) isHeldUp(kind string) bool {
	directed := r.Options.Strategy == StrategyAtomicity || r.Options.Strategy == StrategyRace
	return directed && (kind == KindTest || kind == KindExit) && r.Record.Leaps > 0 && len(r.Record.Races)+len(r.Record.Violations) == 0
}

// telling is the first line that speaks of an error, else the last one.
func telling(output string) string {
	if line := errorLine.Regexp().FindString(output); line != "" {
		return strings.TrimSpace(line)
	}
	output = strings.TrimSpace(output)
	return strings.TrimSpace(output[strings.LastIndexByte(output, '\n')+1:])
}

var (
	fatalLine = pattern.New(`(?m)^fatal error: (.*)$`)
	panicLine = pattern.New(`(?m)^panic: (.*)$`)
	testLine  = pattern.New(`(?m)^\s+(\S+\.go:\d+: .*)$`)
	numbers   = pattern.New(`\b(0x[0-9a-f]+|\d+)\b`)
	waitPlace = pattern.New(`waits at (\S+): `)
	errorLine = pattern.New(`(?mi)^.*\b(errors?|fatal|fail(ed)?|wrong)\b.*$`)
	goFile    = pattern.New(`^\S+\.go:\d+:`)
)

// deadlock is the report of a deadlock without what every one says.
func deadlock(report string) string {
	_, who, ok := strings.Cut(strings.TrimSpace(report), "\n")
	if !ok {
		return strings.TrimSpace(report)
	}
	return strings.TrimSpace(who)
}

// signature tells one failure from another: the message without what changes from
// run to run. Of a failed test, the line that says so.
func signature(kind, message string) string {
	switch kind {
	case KindTest:
		if at := goFile.Regexp().FindString(message); at != "" {
			return kind + " " + at
		}
	case KindHeld:
		kind, message, _ := strings.Cut(message, ": ")
		return KindHeld + " " + signature(kind, message)
	case KindTimeout, KindLimit:
		return kind
	case KindExit:
		status, _, _ := strings.Cut(message, ",")
		return kind + " " + status
	case KindDeadlock:
		var places []string
		for _, m := range waitPlace.Regexp().FindAllStringSubmatch(message, -1) {
			places = append(places, m[1])
		}
		slices.Sort(places)
		if len(places) > 0 {
			return kind + " " + strings.Join(slices.Compact(places), " ")
		}
	}
	return kind + " " + numbers.Regexp().ReplaceAllString(message, "#")
}

// leaks describes the goroutines that were left blocked, empty if there were none.
func (r *Run) leaks() string {
	if r.Record.Outcome == sched.OutcomeDeadlock {
		return ""
	}
	var list []string
	seen := map[string]bool{}
	for _, w := range r.Record.Waiting {
		text := w.Operation + " at " + w.Location
		if !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	return strings.Join(list, "; ")
}
