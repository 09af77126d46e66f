package fuzz

import (
	"cmp"
	"context"
	"os"
	"slices"
)

// candidateRuns is in how many runs candidates are looked for: one run shows only
// what its schedule made happen.
const candidateRuns = 5

// Candidates is phase 1 of papers/000: the pairs that the hybrid of locksets and
// happens-before finds in a few runs, from the campaign's first seed on.
func (c *Campaign) Candidates(ctx context.Context) ([]*Pair, error) {
	dir, err := os.MkdirTemp("", "atomrace-fuzz-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var pairs []*Pair
	for i := range candidateRuns {
		o := c.Options
		o.Strategy, o.Seed, o.Hybrid = "random", c.Seed+uint64(i), true
		run, err := c.Program.Run(ctx, dir, o, c.Timeout)
		if err != nil {
			return nil, err
		}
		for _, p := range run.Record.Candidates {
			found := &Pair{First: p.First.Location, Second: p.Second.Location, Variable: p.Variable, Delay: p.Delay}
			if !slices.ContainsFunc(pairs, func(have *Pair) bool { return have.First == found.First && have.Second == found.Second }) {
				pairs = append(pairs, found)
			}
		}
	}
	slices.SortFunc(pairs, func(a, b *Pair) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return pairs, nil
}
