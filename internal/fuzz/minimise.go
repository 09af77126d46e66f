package fuzz

import (
	"context"
	"errors"
	"time"

	"github.com/atomrace/atomrace/sched"
)

// longestSchedule is how long a schedule may be that a process is given in its
// environment.
const longestSchedule = 100_000

// Minimise looks for a schedule with fewer preemptions under which the run fails in
// the same way, or the same section is broken if it did not fail, in at most budget runs, and returns a run with it and its trace.
func (p *Program) Minimise(ctx context.Context, dir string, failed *Run, budget int, timeout time.Duration) (*Run, error) {
	want := failed.outcome()
	switch {
	case want == "":
		return nil, errors.New("the run did not fail, so there is nothing to keep while the schedule is made shorter")
	case len(failed.Record.Schedule) == 0 || len(failed.Record.Schedule) > longestSchedule:
		return nil, errors.New("the run is too long to make its schedule shorter")
	}
	var problem error
	again := func(s sched.Schedule) (*Run, bool) {
		text := s.String()
		if problem != nil || len(text) > longestSchedule {
			return nil, false
		}
		o := failed.Options.Replaying(text)
		o.Trace = true
		run, err := p.Run(ctx, dir, o, timeout)
		if err != nil {
			problem = err
			return nil, false
		}
		return run, run.outcome() == want
	}
	best, _ := sched.Minimise(failed.Record, budget, func(s sched.Schedule) (sched.Result, bool) {
		run, ok := again(s)
		if run == nil {
			return sched.Result{}, false
		}
		return run.Record, ok
	})
	run, ok := again(best)
	switch {
	case problem != nil:
		return nil, problem
	case !ok:
		return nil, errors.New("the run does not fail each time under its own schedule: it depends on something that the schedule does not decide")
	}
	return run, nil
}

// outcome tells the outcomes of runs from each other: the failure, else the section
// that was broken, else nothing.
func (r *Run) outcome() string {
	if kind, message := r.failure(); kind != "" {
		return signature(kind, message)
	}
	return breached(&r.Record)
}
