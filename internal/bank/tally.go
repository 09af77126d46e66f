package bank

import (
	"context"
	"fmt"
	"runtime"
	"slices"
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
	Met      int             // violations that atomrace counted, repeated ones included
	Named    map[string]int  // variable to the number of runs that reported it
	First    map[Outcome]Run // the earliest run of each outcome, to look into
	Total    time.Duration   // of all runs
}

// Measure runs the binary of p and counts what came of it. It fails if the
// binary cannot be started or ctx ends, not if the program fails.
func Measure(ctx context.Context, p Program, binary string, o Options) (Tally, error) {
	all, err := Alternate(ctx, p, []Contender{{Binary: binary}}, o)
	if err != nil {
		return Tally{}, err
	}
	return all[0], nil
}

// A Contender is one way to run a program.
type Contender struct {
	Binary string
	Env    func(round int) []string // added to Options.Env; nil adds nothing
}

// Alternate runs the contenders one after the other, Options.Runs times over, and
// returns a Tally for each. A round is as a whole one of the runs at a time, so that a
// contender finds what those before it have left behind.
func Alternate(ctx context.Context, p Program, contenders []Contender, o Options) ([]Tally, error) {
	if o.Runs < 1 {
		return nil, fmt.Errorf("%s: %d runs: at least one is needed", p, o.Runs)
	}
	if o.Parallel <= 0 {
		o.Parallel = runtime.NumCPU()
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	runs := make([][]Run, len(contenders))
	for i := range runs {
		runs[i] = make([]Run, o.Runs)
	}
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(o.Parallel, o.Runs) {
		workers.Go(func() {
			for round := range next {
				for i, c := range contenders {
					own := o
					if c.Env != nil {
						own.Env = append(slices.Clone(o.Env), c.Env(round)...)
					}
					run, err := execute(ctx, c.Binary, own)
					if err != nil {
						cancel(err) // keeps the first cause only
						return
					}
					runs[i][round] = run
				}
			}
		})
	}
hand:
	for round := range o.Runs {
		select {
		case next <- round:
		case <-ctx.Done():
			break hand
		}
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", p, context.Cause(ctx))
	}
	all := make([]Tally, len(contenders))
	for i := range all {
		all[i] = tally(p, runs[i])
	}
	return all, nil
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
		t.Met += r.Met
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
