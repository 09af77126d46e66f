package sched

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

// finish ends the run. From then on nobody is under control; those who are not
// done stay where they are.
func (e *engine) finish(outcome Outcome, message string) {
	if !atomic.CompareAndSwapUint32(&e.isOver, 0, 1) {
		return
	}
	e.summarise(outcome, message)
	atomic.SwapPointer(&current, nil)
	atomic.StoreInt32(&remained, int32(e.foreigners+len(e.alive)))
	atomic.StoreUint32(&busy, 0)
	if e.adopted {
		e.write()
		switch outcome {
		case OutcomeDeadlock:
			e.warn(message)
			os.Exit(ExitDeadlock)
		case OutcomeLimit:
			e.warn(fmt.Sprintf("the program did not end within %d decisions (limit=)", e.options.Limit))
			os.Exit(ExitLimit)
		}
	}
	close(e.over)
}

// summarise puts what is known of the run into its Result.
func (e *engine) summarise(outcome Outcome, message string) {
	schedule := ""
	if !e.tooLong {
		schedule = Schedule{Seed: e.options.Seed, Segments: e.segments}.String()
	}
	e.result = Result{
		Options: e.asked.String(), Outcome: outcome, Message: message,
		Decisions: e.state.Decision, Preemptions: e.preemptions, Goroutines: e.started, Leaps: e.result.Leaps,
		Hash: fmt.Sprintf("%016x", e.hash), Schedule: schedule,
		Waiting: e.blocked, Violations: e.violations, Uncontrolled: e.uncontrolled, Trace: e.events,
	}
	for _, s := range e.entered {
		entered := Entered{Section: s.String()}
		if e.hybrid != nil {
			entered.Delay = e.hybrid.delays(s)
		}
		e.result.Sections = append(e.result.Sections, entered)
	}
	slices.SortFunc(e.result.Sections, func(a, b Entered) int { return cmp.Compare(a.Section, b.Section) })
	if r, ok := e.strategy.(reporter); ok {
		r.report(&e.result)
	}
	if e.hybrid != nil {
		e.result.Candidates = e.hybrid.candidates()
	}
}

// panicked is called by a goroutine that panics and does not recover. Under Main
// the panic goes on and ends the process; Run wants to know of it.
func (e *engine) panicked(g *Goroutine, value any) {
	message := fmt.Sprintf("goroutine %d: %v", g.ID, value)
	e.finish(OutcomePanic, message)
	if !e.adopted {
		g.dead = true
		runtime.Goexit()
	}
}

// write puts the Result where Options.Record says.
func (e *engine) write() {
	if e.options.Record == "" {
		return
	}
	text, err := json.MarshalIndent(&e.result, "", " ")
	if err == nil {
		err = os.WriteFile(e.options.Record, append(text, '\n'), 0o644)
	}
	if err != nil {
		e.warn("the record was not written: " + err.Error())
	}
}

// warn tells the people, where a whole process is under control.
func (e *engine) warn(message string) {
	if e.adopted {
		fmt.Fprintln(os.Stderr, "atomrace: "+strings.TrimRight(message, "\n"))
	}
}

// Flush writes the Result as it is now to Options.Record. It belongs before
// os.Exit, which no goroutine returns from; code is the process's exit code.
func Flush(code int) {
	g := enter()
	if g == nil {
		return
	}
	e := g.engine
	e.summarise(OutcomeExit, "")
	e.result.ExitCode = code
	e.write()
	leave(g)
}
