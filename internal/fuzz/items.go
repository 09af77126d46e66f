package fuzz

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Item is one thing that a report has to tell, by itself.
type Item struct {
	Kind         string // as of a Finding; KindRaced, KindBroken
	Message      string
	Name         string // the test, or the package of a program
	Directed     string // what the runs were directed at; empty if nothing
	Variable     string // of the pair
	Section      string // that was broken
	Pattern      string // of the section
	Places       string // where it happened, in short
	Runs, Of     int
	Replay       string // the command that has the run again
	Shortest     string // the command that has the interleaving, if it is another one
	Interleaving *Interleaving
}

// Kinds of items where no run failed.
const (
	KindRaced  = "race"
	KindBroken = "broken section"
)

// Items are the findings of all targets, and what was broken or raced where no run
// failed. Remarks are about the others: pairs that did not race, sections that were
// not broken, targets in which nothing was found.
func (r *Report) Items() (items []Item, remarks []string) {
	for _, t := range r.Targets {
		name := cmp.Or(t.Test, r.Package)
		remark := func(format string, args ...any) {
			remarks = append(remarks, name+": "+fmt.Sprintf(format, args...))
		}
		found := len(items)
		if t.Plain != "" {
			remark("fails without the scheduler, too: %s", t.Plain)
		}
		if t.Tally != nil {
			items = append(items, r.findings(t, t.Tally, Item{Name: name}, "")...)
			if len(items) == found {
				remark("nothing found in %s", count(t.Tally.Runs, "run"))
			}
			remarks = append(remarks, uncontrolled(name, t.Tally)...)
		}
		for _, p := range t.Pairs {
			about := Item{Name: name, Directed: "pair " + p.First + " and " + p.Second, Variable: p.Variable, Places: p.First + " ↔ " + p.Second}
			list := r.findings(t, p.Tally, about, p.more())
			if len(p.Tally.Races) == 0 {
				remark("%s: not reproduced in %s", about.Directed, count(p.Tally.Runs, "run"))
			} else if len(list) == 0 {
				race := p.Tally.Races[0]
				about.Kind, about.Message, about.Runs, about.Of = KindRaced, "no run failed", p.Real(), p.Tally.Runs
				list = append(list, r.illustrated(about, t, race.Seed, race.Interleaving, p.more()))
			}
			items = append(items, list...)
			remarks = append(remarks, uncontrolled(name, p.Tally)...)
		}
		for _, s := range t.Sections {
			about := Item{Name: name, Directed: "section " + r.short(s.Name), Pattern: s.Pattern}
			if len(s.Tally.Breaches) == 0 {
				remark("%s: not broken in %s", about.Directed, count(s.Tally.Runs, "run"))
			} else {
				about.Section = r.short(s.Name)
				first := s.first()
				about.Places = first.Before.Location + " → " + first.Foreign.Location + " → " + first.After.Location
			}
			list := r.findings(t, s.Tally, about, r.sectionMore(s))
			if len(list) == 0 && about.Section != "" {
				first := s.first()
				about.Kind, about.Message, about.Runs, about.Of = KindBroken, "no run failed", s.Tally.Broken, s.Tally.Runs
				if s.Doubt != "" {
					about.Message += "; " + s.harmless()
				}
				list = append(list, r.illustrated(about, t, first.Seed, first.Interleaving, r.sectionMore(s)))
			}
			items = append(items, list...)
			remarks = append(remarks, uncontrolled(name, s.Tally)...)
		}
	}
	return items, remarks
}

// first is the breach with the first seed.
func (s *Section) first() *Breach {
	return slices.MinFunc(s.Tally.Breaches, func(b, c *Breach) int { return cmp.Compare(b.Seed.Seed, c.Seed.Seed) })
}

// findings are those of one tally; about has what they share.
func (r *Report) findings(t *Target, tally *Tally, about Item, more string) []Item {
	var list []Item
	for _, f := range tally.Findings {
		if f.isLong(tally) || f.Kind == KindHeld {
			continue
		}
		about.Kind, about.Message, about.Runs, about.Of = f.Kind, f.Message, f.Runs, tally.Runs
		list = append(list, r.illustrated(about, t, f.Seeds[0], f.Interleaving, more))
	}
	return list
}

// illustrated completes an item by its commands and its interleaving.
func (r *Report) illustrated(item Item, t *Target, s Seed, i *Interleaving, more string) Item {
	item.Replay, item.Interleaving, item.Shortest = r.replay(t, s, more), i, ""
	if i != nil && i.Schedule != "" {
		item.Shortest = r.replaySchedule(t, i, more)
	}
	return item
}

func uncontrolled(name string, t *Tally) []string {
	var list []string
	for _, f := range t.Uncontrolled {
		list = append(list, fmt.Sprintf("%s: not deterministic in %s: %s", name, share(f.Runs, t.Runs), f.Message))
	}
	return list
}

// IsReport says whether text begins as the output of Report.JSON does.
func IsReport(text []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(text), []byte("{"))
	family, _, _ := strings.Cut(reportFormat, " 1")
	return ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(`"format": "`+family))
}
