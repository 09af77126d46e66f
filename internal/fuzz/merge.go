package fuzz

import (
	"errors"
	"fmt"
	"slices"
)

// Merge puts the reports of the parts of one campaign together. An error says
// which report is not of the same campaign, or is a part a second time, or that a
// part is missing.
func Merge(names []string, reports []*Report) (*Report, error) {
	if len(reports) == 0 {
		return nil, errors.New("no reports")
	}
	first := reports[0]
	out := NewReport()
	out.Package, out.Code, out.Command, out.Strategy, out.Seed, out.Runs = first.Package, first.Code, first.Command, first.Strategy, first.Seed, first.Runs
	out.Subtests, out.Args = first.Subtests, first.Args
	seen := map[int]string{}
	for i, r := range reports {
		switch {
		case r.Package != first.Package || r.Strategy != first.Strategy || r.Seed != first.Seed || r.Runs != first.Runs || r.Parts != first.Parts:
			return nil, fmt.Errorf("%s: not of the same campaign as %s: package, strategy, seed, runs and number of parts must be equal", names[i], names[0])
		case r.Code != first.Code:
			return nil, fmt.Errorf("%s: the code is not that of %s; run all parts on the same source", names[i], names[0])
		case r.Interrupted && r.Parts > 0:
			return nil, fmt.Errorf("%s: part %d of %d was interrupted; run it again", names[i], r.Part, r.Parts)
		case r.Parts == 0 && len(reports) > 1:
			return nil, fmt.Errorf("%s: it is a whole campaign, not a part", names[i])
		case seen[r.Part] != "":
			return nil, fmt.Errorf("%s: part %d of %d again, after %s", names[i], r.Part, r.Parts, seen[r.Part])
		}
		seen[r.Part] = names[i]
		out.Interrupted = r.Interrupted
		for _, t := range r.Targets {
			out.mergeTarget(t)
		}
	}
	for part := 1; part <= first.Parts; part++ {
		if seen[part] == "" {
			return nil, fmt.Errorf("part %d of %d is missing", part, first.Parts)
		}
	}
	return out, nil
}

func (r *Report) mergeTarget(t *Target) {
	i := slices.IndexFunc(r.Targets, func(have *Target) bool { return have.Test == t.Test })
	if i < 0 {
		i = len(r.Targets)
		r.Targets = append(r.Targets, &Target{Test: t.Test})
	}
	have := r.Targets[i]
	if have.Plain == "" {
		have.Plain = t.Plain
	}
	if t.Tally != nil {
		if have.Tally == nil {
			have.Tally = newTally()
		}
		have.Tally.merge(t.Tally)
	}
	have.NotEntered, have.NotSeen = t.NotEntered, t.NotSeen // by the first runs, which all parts have
	for _, s := range t.Sections {
		j := slices.IndexFunc(have.Sections, func(q *Section) bool { return q.Name == s.Name })
		if j < 0 {
			j = len(have.Sections)
			have.Sections = append(have.Sections, &Section{Name: s.Name, Pattern: s.Pattern, Doubt: s.Doubt, Delay: s.Delay, Tally: newTally()})
		}
		have.Sections[j].Tally.merge(s.Tally)
	}
	for _, p := range t.Pairs {
		j := slices.IndexFunc(have.Pairs, func(q *Pair) bool { return q.First == p.First && q.Second == p.Second })
		if j < 0 {
			j = len(have.Pairs)
			have.Pairs = append(have.Pairs, &Pair{First: p.First, Second: p.Second, Variable: p.Variable, Modes: p.Modes, Delay: p.Delay, Tally: newTally()})
		}
		have.Pairs[j].Tally.merge(p.Tally)
	}
}
