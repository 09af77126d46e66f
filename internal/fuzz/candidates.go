package fuzz

import (
	"cmp"
	"context"
	"os"
	"slices"
)

// firstRuns is in how many runs phase 1 looks: one run shows only what its schedule
// made happen.
const firstRuns = 5

// First is what phase 1 has found.
type First struct {
	Pairs   []*Pair
	Entered map[string][]string // the sections, as sched.Section.String, with sched.Entered.Delay
}

// First is phase 1 of papers/000: a few runs from the campaign's first seed on, in
// which the hybrid of locksets and happens-before finds pairs, and which tell what
// sections the program enters.
func (c *Campaign) First(ctx context.Context) (*First, error) {
	dir, err := os.MkdirTemp("", "atomrace-fuzz-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	found := &First{Entered: map[string][]string{}}
	for i := range firstRuns {
		o := c.Options
		o.Strategy, o.Seed, o.Hybrid = "random", c.Seed+uint64(i), true
		run, err := c.Program.Run(ctx, dir, o, c.Timeout)
		if err != nil {
			return nil, err
		}
		for _, s := range run.Record.Sections {
			delay := slices.Concat(found.Entered[s.Section], s.Delay)
			slices.Sort(delay)
			found.Entered[s.Section] = slices.Compact(delay)
		}
		for _, p := range run.Record.Candidates {
			pair := &Pair{First: p.First.Location, Second: p.Second.Location, Variable: p.Variable, Delay: p.Delay, Modes: verb(p.First)[:1] + verb(p.Second)[:1]}
			known := slices.IndexFunc(found.Pairs, func(have *Pair) bool { return have.First == pair.First && have.Second == pair.Second })
			if known < 0 {
				found.Pairs = append(found.Pairs, pair)
			} else if have := found.Pairs[known]; have.Modes != pair.Modes {
				have.Modes = "" // x++ has a read and a write at one place
			}
		}
	}
	slices.SortFunc(found.Pairs, func(a, b *Pair) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return found, nil
}
