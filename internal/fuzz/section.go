package fuzz

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/sched"
)

// A Section is an atomic section that the runs of its tally tried to break.
type Section struct {
	Name    string `json:"section"` // as sched.Section.String
	Pattern string `json:"pattern"` // as in atomicity.yaml
	// Delay is where others begin what may break it: sched.Entered.Delay, as
	// sched.Options.Delay takes it.
	Delay string `json:"delay,omitempty"`
	// Called says that it begins or ends with a call that makes the access, around
	// which there can be no hook.
	Called bool `json:"-"`
	// Doubt says why it does no harm when the section is broken, as far as the code tells:
	// atomicity.Section.Doubted. Runs that only break it are no failures.
	Doubt string `json:"doubt,omitempty"`
	Tally *Tally `json:"tally"`
}

// A Breach is a way in which a section was broken.
type Breach struct {
	Section string     `json:"section"`
	Before  sched.Side `json:"before"`  // its entry
	Foreign sched.Side `json:"foreign"` // what another goroutine did then
	After   sched.Side `json:"after"`   // its end
	Runs    int        `json:"runs"`
	Seed    Seed       `json:"seed"`

	Interleaving *Interleaving `json:"interleaving,omitempty"` // of the seed
}

func newBreach(v *sched.Violation, seed Seed) *Breach {
	plain := func(s sched.Side) sched.Side { return sched.Side{Location: s.Location, Write: s.Write} }
	return &Breach{Section: v.Section, Before: plain(v.Before), Foreign: plain(v.Foreign), After: plain(v.After), Runs: 1, Seed: seed}
}

func (b *Breach) compare(c *Breach) int {
	side := func(s, t sched.Side) int {
		return cmp.Or(cmp.Compare(s.Location, t.Location), cmp.Compare(verb(s), verb(t)))
	}
	return cmp.Or(cmp.Compare(b.Section, c.Section), side(b.Before, c.Before), side(b.After, c.After), side(b.Foreign, c.Foreign))
}

// addBreach adds one to those that are known, in order.
func (t *Tally) addBreach(b *Breach) {
	i, known := slices.BinarySearchFunc(t.Breaches, b, (*Breach).compare)
	if !known {
		clone := *b
		t.Breaches = slices.Insert(t.Breaches, i, &clone)
		return
	}
	have := t.Breaches[i]
	have.Runs += b.Runs
	if b.Seed.Seed < have.Seed.Seed {
		have.Seed, have.Interleaving = b.Seed, b.Interleaving
	}
}

// breached is the signature of the first violation of a run.
func breached(r *sched.Result) string {
	if len(r.Violations) == 0 {
		return ""
	}
	v := &r.Violations[0]
	return fmt.Sprintf("section %s: %s, %s, %s", v.Section, place(v.Before), place(v.Foreign), place(v.After))
}

func verb(s sched.Side) string {
	if s.Write {
		return "write"
	}
	return "read"
}

func place(s sched.Side) string { return verb(s) + " at " + s.Location }

// section writes what came of one.
func (r *Report) section(b *strings.Builder, name string, t *Target, s *Section) {
	short := r.short(s.Name)
	fmt.Fprintf(b, "%s: section %s", name, short)
	if s.Pattern != "" {
		fmt.Fprintf(b, " (%s)", s.Pattern)
	}
	more := r.sectionMore(s)
	if len(s.Tally.Breaches) == 0 {
		fmt.Fprintf(b, "\n  not broken in %s\n", count(s.Tally.Runs, "run"))
	} else {
		first := s.first()
		fmt.Fprintf(b, "\n  real: broken in %s\n", share(s.Tally.Broken, s.Tally.Runs))
		if s.Doubt != "" {
			fmt.Fprintf(b, "    %s\n", s.harmless())
		}
		for _, breach := range s.Tally.Breaches {
			fmt.Fprintf(b, "    began with %s, ended with %s; %s came in between\n", place(breach.Before), place(breach.After), place(breach.Foreign))
		}
		fmt.Fprintf(b, "    %s\n", r.replay(t, first.Seed, more))
		r.shortest(b, t, first.Interleaving, more)
		if len(s.Tally.Findings) == 0 {
			b.WriteString("  no run failed\n")
		}
	}
	r.tally(b, t, s.Tally, more)
}

// harmed says whether the section was broken, and that does harm as far as anybody knows.
func (s *Section) harmed() bool { return s.Doubt == "" && len(s.Tally.Breaches) > 0 }

// harmless is what is said of a section with a doubt that was broken.
func (s *Section) harmless() string { return "perhaps without harm: " + s.Doubt }

// sectionMore is what a replay of the section needs besides.
func (r *Report) sectionMore(s *Section) string {
	more := " -section " + Quote(r.short(s.Name))
	if s.Delay != "" {
		more += " -delay " + Quote(s.Delay)
	}
	return more
}

// short leaves out the package's own path.
func (r *Report) short(section string) string {
	return strings.TrimPrefix(section, r.Package+".")
}

// namesShown is how many of the sections that nothing enters are named.
const namesShown = 5

// left is the line about the sections that every target leaves aside.
func (r *Report) left(b *strings.Builder, why string, of func(*Target) []string) {
	var names []string
	for i, t := range r.Targets {
		if i == 0 {
			names = of(t)
			continue
		}
		names = slices.DeleteFunc(slices.Clone(names), func(s string) bool { return !slices.Contains(of(t), s) })
	}
	if len(names) == 0 {
		return
	}
	var shown []string
	for _, s := range names[:min(len(names), namesShown)] {
		shown = append(shown, r.short(s))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	fmt.Fprintf(b, "%s: %s\n", why, text)
}
