package bank

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// Options say how Measure runs a program.
type Options struct {
	Runs     int           // how often; at least 1
	Parallel int           // runs at a time; 0 is the number of processors
	Timeout  time.Duration // of one run; 0 is DefaultTimeout
	Env      []string      // added to the environment, as "ATOMRACE=heal=lock"
}

// DefaultTimeout is the watchdog's patience with one run. The programs take
// some milliseconds; with noise at every access on a busy machine, seconds.
const DefaultTimeout = 30 * time.Second

// A Tally counts the runs of one program.
type Tally struct {
	Program  Program
	Runs     int
	Outcomes map[Outcome]int
	Reported int             // runs with at least one report of atomrace
	Raced    int             // runs with at least one report of Go's race detector
	Escaped  int             // runs in which a section was broken although it was healed
	Named    map[string]int  // variable to the number of runs that reported it
	First    map[Outcome]Run // the earliest run of each outcome, to look into
	Total    time.Duration   // of all runs
}

// Measure runs the binary of p and counts what came of it. It fails if the
// binary cannot be started or ctx ends, not if the program fails.
func Measure(ctx context.Context, p Program, binary string, o Options) (Tally, error) {
	if o.Runs < 1 {
		return Tally{}, fmt.Errorf("%s: %d runs: at least one is needed", p, o.Runs)
	}
	if o.Parallel <= 0 {
		o.Parallel = runtime.NumCPU()
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	runs := make([]Run, o.Runs)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(o.Parallel, o.Runs) {
		workers.Go(func() {
			for i := range next {
				run, err := execute(ctx, binary, o)
				if err != nil {
					cancel(err) // keeps the first cause only
					return
				}
				runs[i] = run
			}
		})
	}
hand:
	for i := range runs {
		select {
		case next <- i:
		case <-ctx.Done():
			break hand
		}
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		return Tally{}, fmt.Errorf("%s: %w", p, context.Cause(ctx))
	}
	return tally(p, runs), nil
}

// tally counts runs in their order, so that the result does not depend on
// which of them ended first.
func tally(p Program, runs []Run) Tally {
	t := Tally{
		Program:  p,
		Runs:     len(runs),
		Outcomes: make(map[Outcome]int),
		Named:    make(map[string]int),
		First:    make(map[Outcome]Run),
	}
	for _, r := range runs {
		if t.Outcomes[r.Outcome] == 0 {
			t.First[r.Outcome] = r
		}
		t.Outcomes[r.Outcome]++
		if r.Reports > 0 {
			t.Reported++
		}
		if r.Escaped {
			t.Escaped++
		}
		if r.Races > 0 {
			t.Raced++
		}
		for _, v := range r.Variables {
			t.Named[v]++
		}
		t.Total += r.Duration
	}
	return t
}

// Mean returns the mean duration of a run.
func (t Tally) Mean() time.Duration {
	return t.Total / time.Duration(max(t.Runs, 1))
}
