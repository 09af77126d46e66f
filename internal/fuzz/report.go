package fuzz

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Report is the outcome of one call of atomrace fuzz, or of the parts of one.
type Report struct {
	Format   string    `json:"format"`             // reportFormat
	Package  string    `json:"package"`            // import path
	Code     string    `json:"code"`               // names the code: rewrite.Result.Code
	Command  string    `json:"command"`            // what a replay needs besides the seed and the test
	Subtests string    `json:"subtests,omitempty"` // of the test, as -run has them, with the first slash
	Args     string    `json:"args,omitempty"`     // of the test or program, after all else: -args and what follows
	Strategy string    `json:"strategy"`           // or what the runs were directed at
	Seed     uint64    `json:"seed"`               // the first
	Runs     int       `json:"runs"`               // asked for, of each target; 0 if only a time was given
	Part     int       `json:"part,omitempty"`
	Parts    int       `json:"parts,omitempty"`
	Targets  []*Target `json:"targets"`
	// Interrupted says that there would have been more runs.
	Interrupted bool `json:"interrupted,omitempty"`
}

const reportFormat = "atomrace fuzz 1"

// Strategies of reports whose runs are directed at something.
const (
	StrategyRace      = "race"      // at pairs
	StrategyAtomicity = "atomicity" // at sections
	StrategyBoth      = "race, atomicity"
)

// A Target is a test, or a program.
type Target struct {
	Test  string  `json:"test,omitempty"`  // empty for a program
	Plain string  `json:"plain,omitempty"` // how it fails without the scheduler, if it does
	Tally *Tally  `json:"tally,omitempty"` // of the runs without a pair
	Pairs []*Pair `json:"pairs,omitempty"` // each with its own runs
	// Sections are those that phase 1 saw entered, each with its own runs.
	Sections   []*Section `json:"sections,omitempty"`
	NotEntered []string   `json:"not_entered,omitempty"` // the others, as sched.Section.String
	NotSeen    []string   `json:"not_seen,omitempty"`    // those that begin or end with such a call; see Section.Called
}

// A Pair is two locations that may race, and what came of it.
type Pair struct {
	First    string `json:"first"`
	Second   string `json:"second"`
	Variable string `json:"variable,omitempty"`
	Modes    string `json:"modes,omitempty"` // rw and so on: which of the two read and write; empty if that is not known, or not always so
	Delay    string `json:"delay,omitempty"` // the lock at which one of the goroutines waits for the other
	Tally    *Tally `json:"tally"`
}

// Locations are the two as sched.Options.Pair has them.
func (p *Pair) Locations() [2]string {
	if p.Modes == "" {
		return [2]string{p.First, p.Second}
	}
	return [2]string{p.First + p.Modes[:1], p.Second + p.Modes[1:]}
}

// Real is in how many runs the pair raced.
func (p *Pair) Real() int {
	n := 0
	for _, r := range p.Tally.Races {
		n = max(n, r.Runs)
	}
	return n
}

// NewReport returns a report without targets.
func NewReport() *Report { return &Report{Format: reportFormat} }

// isLong says whether every run was given up at the limit: then it is the test that
// is long, rather than some schedule that has no end.
func (f *Finding) isLong(t *Tally) bool { return f.Kind == KindLimit && f.Runs == t.Runs }

// Failed says whether anything was found: a failure, or a race or a broken section
// that is real and has no doubt.
// Leaks count only if asked for.
func (r *Report) Failed(leaks bool) bool {
	bad := func(t *Tally) bool {
		return t != nil && (len(t.Races) > 0 || slices.ContainsFunc(t.Findings, func(f *Finding) bool {
			return !f.isLong(t) && (isFailure(f.Kind) || leaks && f.Kind == KindLeak)
		}))
	}
	for _, t := range r.Targets {
		if slices.ContainsFunc(t.tallies(), bad) || slices.ContainsFunc(t.Sections, (*Section).harmed) {
			return true
		}
	}
	return false
}

// tallies are all that the target has.
func (t *Target) tallies() []*Tally {
	list := []*Tally{t.Tally}
	for _, p := range t.Pairs {
		list = append(list, p.Tally)
	}
	for _, s := range t.Sections {
		list = append(list, s.Tally)
	}
	return list
}

// JSON writes the report for machines and for Merge.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(r)
}

// ReadReport reads what JSON has written; name is that of the file, for errors.
func ReadReport(name string, text []byte) (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w; want the output of 'atomrace fuzz -json'", name, err)
	}
	if r.Format != reportFormat {
		return nil, fmt.Errorf("%s: it is no output of 'atomrace fuzz -json' of this version", name)
	}
	if !r.isWhole() {
		return nil, fmt.Errorf("%s: something is missing in it; want the output of 'atomrace fuzz -json' as it was", name)
	}
	return r, nil
}

// isWhole says whether all is there that JSON would have written.
func (r *Report) isWhole() bool {
	for _, t := range r.Targets {
		if t == nil || slices.Contains(t.Pairs, nil) || slices.Contains(t.Sections, nil) {
			return false
		}
		for _, p := range t.Pairs {
			if len(p.Modes) != 0 && len(p.Modes) != 2 {
				return false
			}
		}
		for i, tally := range t.tallies() {
			if tally == nil && i == 0 {
				continue // no runs without a direction
			}
			if tally == nil || !tally.isWhole() {
				return false
			}
		}
	}
	return true
}

func (t *Tally) isWhole() bool {
	for _, f := range slices.Concat(t.Findings, t.Uncontrolled) {
		if f == nil || len(f.Seeds) == 0 || t.Runs < 1 {
			return false
		}
	}
	return !slices.Contains(t.Races, nil) && !slices.Contains(t.Breaches, nil)
}

// Text is the report for people.
func (r *Report) Text() string {
	var b strings.Builder
	for _, t := range r.Targets {
		name := r.Package
		if t.Test != "" {
			name += " " + t.Test
		}
		if t.Plain != "" {
			fmt.Fprintf(&b, "%s: fails without the scheduler, too: %s\n", name, t.Plain)
		}
		if t.Tally != nil {
			fmt.Fprintf(&b, "%s: %s\n", name, t.Tally.summary())
			r.tally(&b, t, t.Tally, "")
		}
		if t.Tally == nil && len(t.Pairs) == 0 && r.Strategy != StrategyAtomicity {
			fmt.Fprintf(&b, "%s: no two accesses that may race\n", name)
		}
		for _, p := range t.Pairs {
			r.pair(&b, name, t, p)
		}
		for _, s := range t.Sections {
			r.section(&b, name, t, s)
		}
	}
	if r.Strategy == StrategyAtomicity && !slices.ContainsFunc(r.Targets, func(t *Target) bool { return len(t.Sections)+len(t.NotEntered)+len(t.NotSeen) > 0 }) {
		fmt.Fprintf(&b, "%s: no atomic section; 'atomrace infer' looks for some, and atomicity.yaml may name them\n", r.Package)
	}
	if r.Interrupted {
		b.WriteString("interrupted: that is what the runs until then came to\n")
	}
	r.left(&b, "not entered", func(t *Target) []string { return t.NotEntered })
	r.left(&b, "begun or ended by a call around which there can be no hook ('atomrace fuzz' without -sections may break them)",
		func(t *Target) []string { return t.NotSeen })
	return b.String()
}

func (t *Tally) summary() string {
	text := fmt.Sprintf("%s, %d decisions each", count(t.Runs, "run"), t.Decisions/uint64(max(t.Runs, 1)))
	if t.Schedules > 0 {
		text += fmt.Sprintf(", %s", count(t.Schedules, "schedule"))
	}
	if len(t.Findings) == 0 && len(t.Races) == 0 {
		text += ": nothing found"
	}
	return text
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tally lists what was found, with the command that has each again.
func (r *Report) tally(b *strings.Builder, t *Target, tally *Tally, more string) {
	for _, f := range tally.Findings {
		if f.isLong(tally) {
			fmt.Fprintf(b, "  too long: every run was given up after %d decisions; -limit allows more\n", tally.Decisions/uint64(tally.Runs))
			continue
		}
		if f.Kind == KindHeld {
			fmt.Fprintf(b, "  held up, with time passing meanwhile, in %s: %s\n", share(f.Runs, tally.Runs), f.Message)
			continue
		}
		text := f.Kind
		if f.Message != "" {
			text += ": " + strings.ReplaceAll(f.Message, "\n", "\n    ")
		}
		fmt.Fprintf(b, "  %s\n    in %s\n    %s\n", text, share(f.Runs, tally.Runs), r.replay(t, f.Seeds[0], more))
		r.shortest(b, t, f.Interleaving, more)
	}
	for _, f := range tally.Uncontrolled {
		fmt.Fprintf(b, "  not deterministic in %s, first with seed %d: %s\n", share(f.Runs, tally.Runs), f.Seeds[0].Seed, f.Message)
	}
}

func (r *Report) pair(b *strings.Builder, name string, t *Target, p *Pair) {
	fmt.Fprintf(b, "%s: pair %s and %s", name, p.First, p.Second)
	if p.Variable != "" {
		fmt.Fprintf(b, " of %s", p.Variable)
	}
	more := p.more()
	if n := p.Real(); n > 0 {
		fmt.Fprintf(b, "\n  real: raced in %s\n    %s\n", share(n, p.Tally.Runs), r.replay(t, p.Tally.Races[0].Seed, more))
		r.shortest(b, t, p.Tally.Races[0].Interleaving, more)
		if len(p.Tally.Findings) == 0 {
			b.WriteString("  no run failed\n")
		}
	} else {
		fmt.Fprintf(b, "\n  not reproduced in %s\n", count(p.Tally.Runs, "run"))
	}
	r.tally(b, t, p.Tally, more)
}

// shortest is the command that has the simplest schedule that was found.
func (r *Report) shortest(b *strings.Builder, t *Target, i *Interleaving, more string) {
	if i != nil && i.Schedule != "" {
		fmt.Fprintf(b, "    with %s: %s\n", count(i.Preemptions, "preemption"), r.replaySchedule(t, i, more))
	}
}

// replaySchedule is the command that has the interleaving again.
func (r *Report) replaySchedule(t *Target, i *Interleaving, more string) string {
	return "atomrace replay -schedule " + i.Schedule + more + r.Command + r.run(t)
}

// more is what a replay of the pair needs besides.
func (p *Pair) more() string {
	at := p.Locations()
	more := " -pair " + Quote(at[0]+"+"+at[1])
	if p.Delay != "" {
		more += " -delay " + Quote(p.Delay)
	}
	return more
}

// share is "31 of 1000 runs (3.1 %)".
func share(n, of int) string {
	return fmt.Sprintf("%d of %s (%.3g %%)", n, count(of, "run"), 100*float64(n)/float64(max(of, 1)))
}

// replay is the command that has the run again.
func (r *Report) replay(t *Target, s Seed, more string) string {
	text := "atomrace replay -seed " + Token(s, r.Code)
	if more == "" {
		text += " -strategy " + StrategyOf(r.Strategy, s.Seed)
	}
	return text + more + r.Command + r.run(t)
}

// run is what chooses the target, and its arguments.
func (r *Report) run(t *Target) string {
	if t.Test == "" {
		return r.Args
	}
	return " -run " + Quote("^"+t.Test+"$"+r.Subtests) + r.Args
}

// Quote is the argument as a shell takes it.
func Quote(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\n'\"$&|;<>()*?[]{}\\`~#!^") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
