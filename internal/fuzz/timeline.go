package fuzz

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/atomrace/atomrace/sched"
)

// An Interleaving is a run step by step, for people to look at.
type Interleaving struct {
	Schedule    string `json:"schedule,omitempty"` // for replay -schedule; empty where the run has its seed alone
	Outcome     string `json:"outcome"`            // of the run
	Decisions   uint64 `json:"decisions"`
	Preemptions int    `json:"preemptions"`
	Before      int    `json:"before"`         // preemptions of the run that was found
	Left        int    `json:"left,omitempty"` // earlier steps that are not among Steps
	Steps       []Step `json:"steps"`
	Note        string `json:"note,omitempty"` // why the schedule is no shorter
}

// A Step is one decision of an interleaving.
type Step struct {
	Decision  uint64 `json:"decision"`
	Goroutine int    `json:"goroutine"`
	Location  string `json:"location"` // file:line
	Operation string `json:"operation"`
	Preempts  bool   `json:"preempts,omitempty"` // the turn was taken from a goroutine that could have gone on
	Role      string `json:"role,omitempty"`     // in a section that was broken: entry, foreign or end
	Code      string `json:"code,omitempty"`     // the line of the source, if it is the main module's
}

// stepsKept is how many steps an interleaving has at most: the last ones.
const stepsKept = 500

// illustrationBudget is how many runs are made for one interleaving.
const illustrationBudget = 200

// Illustrate adds to each finding of the tally the interleaving of its first run, made
// as simple as possible; to what was broken or raced only where nothing failed.
// An error means that the program could not be run.
func (c *Campaign) Illustrate(ctx context.Context, t *Tally) error {
	dir, err := os.MkdirTemp("", "atomrace-fuzz-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, f := range t.Findings {
		if f.isLong(t) || f.Kind == KindTimeout {
			continue
		}
		if f.Interleaving, err = c.illustration(ctx, dir, f.Seeds[0].Seed); err != nil {
			return err
		}
	}
	if len(t.Findings) > 0 {
		return nil
	}
	for _, b := range t.Breaches {
		if b.Interleaving, err = c.illustration(ctx, dir, b.Seed.Seed); err != nil {
			return err
		}
	}
	for _, p := range t.Races {
		if p.Interleaving, err = c.illustration(ctx, dir, p.Seed.Seed); err != nil {
			return err
		}
	}
	return nil
}

// illustration is the interleaving of the run with the seed.
func (c *Campaign) illustration(ctx context.Context, dir string, seed uint64) (*Interleaving, error) {
	o := c.Options
	o.Seed, o.Strategy, o.Trace = seed, StrategyOf(o.Strategy, seed), true
	run, err := c.Program.Run(ctx, dir, o, c.Timeout)
	if err != nil {
		return nil, err
	}
	before, note := run.Record.Preemptions, ""
	shorter, err := c.Program.Minimise(ctx, dir, run, illustrationBudget, c.Timeout)
	switch {
	case err == nil:
		run = shorter
	case ctx.Err() != nil || errors.Is(err, errRefused):
		return nil, err
	case run.outcome() != "":
		note = err.Error()
	}
	i := c.Program.interleaving(run)
	i.Before, i.Note = before, note
	if err == nil {
		i.Schedule = run.Record.Schedule
	}
	return i, nil
}

// interleaving takes the steps out of a run that was traced.
func (p *Program) interleaving(r *Run) *Interleaving {
	i := &Interleaving{Outcome: r.end(), Decisions: r.Record.Decisions, Preemptions: r.Record.Preemptions}
	trace := withoutLibrary(r.Record.Trace)
	i.Left = max(len(trace)-stepsKept, 0)
	code := sourceLines{root: p.Root, files: map[string][]string{}}
	for _, e := range trace[i.Left:] {
		i.Steps = append(i.Steps, Step{Decision: e.Decision, Goroutine: e.Goroutine, Location: e.Location, Operation: e.Operation, Preempts: e.Preempts, Code: code.at(e.Location)})
	}
	mark(i.Steps, r.Record.Violations)
	return i
}

// mark says of the steps what they are to the sections that were broken: the end, and
// going back from it the last access that broke in and the entry.
func mark(steps []Step, violations []sched.Violation) {
	for _, v := range violations {
		found := false
		for i := len(steps) - 1; i >= 0; i-- {
			s := &steps[i]
			switch {
			case s.Decision == v.Decision && s.Goroutine == v.Goroutines[0]:
				s.Role, found = "end", true
			case found && s.is(v.Goroutines[1], v.Foreign):
				if s.Role == "" {
					s.Role = "foreign"
				}
			case found && s.is(v.Goroutines[0], v.Before):
				s.Role = "entry"
				found = false
			}
		}
	}
}

// is says whether the step is the access.
func (s *Step) is(goroutine int, at sched.Side) bool {
	return s.Goroutine == goroutine && strings.HasPrefix(cmp.Or(at.Inside, at.Location)+":", s.Location+":") && strings.Contains(s.Operation, verb(at))
}

// sourceLines reads lines of the main module.
type sourceLines struct {
	root  string
	files map[string][]string
}

// at is the line at file:line, empty if it is not to be had.
func (s *sourceLines) at(location string) string {
	file, number, _ := strings.Cut(location, ":")
	n, err := strconv.Atoi(number)
	if err != nil || s.root == "" || !filepath.IsLocal(file) {
		return ""
	}
	lines, known := s.files[file]
	if !known {
		if text, err := os.ReadFile(filepath.Join(s.root, file)); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		s.files[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
