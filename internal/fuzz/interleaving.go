package fuzz

import (
	"fmt"
	"strings"

	"github.com/atomrace/atomrace/sched"
)

// Text is the run for people: what the program printed, the interleaving, and how
// it ended. same says how the run compares with the one that was found; it may be
// empty.
func (r *Run) Text(same string) string {
	var b strings.Builder
	if len(r.Output) > 0 {
		b.Write(r.Output)
		if r.Output[len(r.Output)-1] != '\n' {
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	interleaving(&b, r.Record.Trace)
	under := fmt.Sprintf("seed %d, %s", r.Options.Seed, r.Options.Strategy)
	if r.Options.Schedule != "" {
		under = "a schedule"
	}
	fmt.Fprintf(&b, "under %s: %s\n%s, %s, %s\n", under, r.end(), count(int(r.Record.Decisions), "decision"),
		count(r.Record.Preemptions, "preemption"), count(r.Record.Goroutines, "goroutine"))
	for _, race := range r.Record.Races {
		fmt.Fprintf(&b, "raced: goroutine %d at %s and goroutine %d at %s\n", race.Goroutines[0], race.First.Location, race.Goroutines[1], race.Second.Location)
	}
	for _, v := range r.Record.Violations {
		fmt.Fprintf(&b, "section %s of goroutine %d was broken by goroutine %d: %s, %s, %s\n",
			v.Section, v.Goroutines[0], v.Goroutines[1], place(v.Before), place(v.Foreign), place(v.After))
	}
	for _, w := range r.Record.Waiting {
		if r.Record.Outcome == sched.OutcomeDeadlock {
			break // its message has them
		}
		fmt.Fprintf(&b, "left blocked: goroutine %d in %s at %s\n", w.Goroutine, w.Operation, w.Location)
	}
	for _, line := range []string{r.Record.Uncontrolled, r.Record.Diverged, same} {
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// end says how the run ended.
func (r *Run) end() string {
	kind, message := r.failure()
	switch {
	case kind == "":
		return "the run ended well"
	case message != "":
		return kind + ": " + message
	}
	return kind
}

// withoutLibrary leaves out the steps within the standard library, but the first
// of a goroutine's turn.
func withoutLibrary(trace []sched.Event) []sched.Event {
	var kept []sched.Event
	last := -1
	for _, e := range trace {
		if !strings.HasPrefix(e.Location, Goroot) {
			kept = append(kept, e)
		} else if e.Goroutine != last {
			e.Operation = "in the library: " + e.Operation
			kept = append(kept, e)
		}
		last = e.Goroutine
	}
	return kept
}

// interleaving lists the steps, with a blank line where another goroutine takes
// its turn. A star marks a turn that was taken from a goroutine that could have
// gone on.
func interleaving(b *strings.Builder, trace []sched.Event) {
	if len(trace) == 0 {
		return
	}
	trace = withoutLibrary(trace)
	width := 0
	for _, e := range trace {
		width = max(width, len(e.Location))
	}
	width = min(width, 60)
	last := -1
	for _, e := range trace {
		turn := "            "
		if e.Goroutine != last {
			star := " "
			if e.Preempts {
				star = "*"
			}
			turn = fmt.Sprintf("%sgoroutine %-2d", star, e.Goroutine)
			if last >= 0 {
				b.WriteByte('\n')
			}
			last = e.Goroutine
		}
		fmt.Fprintf(b, "%-13s %6d  %-*s  %s\n", turn, e.Decision, width, e.Location, e.Operation)
	}
	b.WriteByte('\n')
}
