package fuzz

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/atomrace/atomrace/sched"
)

// A Program is what is run: a test binary with its arguments, or a program.
type Program struct {
	Path string   // of the binary
	Args []string //
	Dir  string   // where it runs
	Test string   // the test's name; empty for a program
	Root string   // of the main module, in which locations are; empty if there is none
	Env  []string // besides that of this process
	// Prefixes are directories whose names are left out of messages and
	// locations, so that they are the same on every machine; those of the
	// standard library are in Std and become Goroot.
	Prefixes, Std []string
}

// Goroot stands for the directory of the standard library in locations.
const Goroot = "$GOROOT/"

// A Campaign says how often and how a program is run.
type Campaign struct {
	Program Program
	// Options are what all runs have in common. Strategy may be Mixed.
	Options sched.Options
	Seed    uint64        // of the first run; the others follow
	Runs    int           // how many seeds; without end if For is set and Runs is 0
	For     time.Duration // when to begin no more runs; 0 is never
	Jobs    int           // processes at a time
	Timeout time.Duration // of one run
	// Part and Parts are those of a campaign that is split: of each Parts
	// seeds in a row, this part runs the Part-th, from 1. 0 is the whole.
	Part, Parts int
	// Progress is called about once a second, from one goroutine at a time; it
	// may be nil.
	Progress func(Progress)
}

// Progress is how far a campaign is.
type Progress struct {
	Runs, Failures int
	Elapsed        time.Duration
}

// Mixed is the strategy that takes another one for each seed.
const Mixed = "mixed"

var mixture = []string{"random", "pct", "pos"}

// StrategyOf is the strategy of a run.
func StrategyOf(strategy string, seed uint64) string {
	if strategy == Mixed {
		return mixture[seed%uint64(len(mixture))]
	}
	return strategy
}

// Run runs the campaign. An error means that the program could not be started, or
// was refused by the scheduler; ctx ends the campaign early with what there is.
func (c *Campaign) Run(ctx context.Context) (*Tally, error) {
	dir, err := os.MkdirTemp("", "atomrace-fuzz-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g := &gathering{campaign: c, tally: newTally(), start: time.Now(), told: time.Now()}
	var jobs sync.WaitGroup
	for range max(c.Jobs, 1) {
		jobs.Go(func() {
			for {
				seed, ok := g.next(ctx)
				if !ok {
					return
				}
				options := c.Options
				options.Seed, options.Strategy = seed, StrategyOf(options.Strategy, seed)
				run, err := c.Program.Run(ctx, dir, options, c.Timeout)
				if ctx.Err() != nil {
					return // it was stopped, so it says nothing
				}
				if !g.add(run, err) {
					stop()
				}
			}
		})
	}
	jobs.Wait()
	return g.tally, g.err
}

// gathering is the state of a campaign that the jobs share.
type gathering struct {
	campaign *Campaign
	start    time.Time
	mu       sync.Mutex
	begun    int
	told     time.Time
	tally    *Tally
	err      error
}

// next is the next seed, false when there is none.
func (g *gathering) next(ctx context.Context) (uint64, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.campaign
	if ctx.Err() != nil || c.For > 0 && time.Since(g.start) >= c.For || (c.Runs > 0 || c.For == 0) && g.begun >= c.share() {
		return 0, false
	}
	n := uint64(g.begun)
	g.begun++
	if c.Parts > 0 {
		n = n*uint64(c.Parts) + uint64(c.Part-1)
	}
	return c.Seed + n, true
}

// share is how many of the runs are in this part.
func (c *Campaign) share() int {
	if c.Parts == 0 {
		return c.Runs
	}
	return (c.Runs + c.Parts - c.Part) / c.Parts
}

// errRefused is what Run returns for a program that would not run at all.
var errRefused = errors.New("the scheduler refuses its options")

// add counts a run; it is false when the campaign is to end.
func (g *gathering) add(run *Run, err error) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		if g.err == nil {
			g.err = err
		}
		return false
	}
	g.tally.add(run)
	if now := time.Now(); g.campaign.Progress != nil && now.Sub(g.told) >= time.Second {
		g.told = now
		g.campaign.Progress(Progress{Runs: g.tally.Runs, Failures: g.tally.Failures(), Elapsed: now.Sub(g.start)})
	}
	return true
}
