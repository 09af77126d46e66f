package fuzz

import (
	"cmp"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/sched"
)

// A Tally is what the runs of a campaign came to. Adding runs and tallies in any
// order gives the same.
type Tally struct {
	Runs        int        `json:"runs"`
	Decisions   uint64     `json:"decisions"`   // of all runs
	Preemptions uint64     `json:"preemptions"` // of all runs
	Schedules   int        `json:"schedules"`   // how many of the runs were different ones; of a merged tally, at most
	Findings    []*Finding `json:"findings,omitempty"`
	// Uncontrolled are reasons why runs are not deterministic, with the first
	// seed of each.
	Uncontrolled []*Finding `json:"uncontrolled,omitempty"`
	Races        []*Proof   `json:"races,omitempty"`    // brought about by strategy race
	Broken       int        `json:"broken,omitempty"`   // runs in which a section was
	Breaches     []*Breach  `json:"breaches,omitempty"` // the ways in which

	hashes map[string]bool
}

// A Finding is one kind of failure.
type Finding struct {
	Kind    string `json:"kind"`
	Message string `json:"message"` // of the run with the first seed
	Runs    int    `json:"runs"`    // in which it was seen
	Seeds   []Seed `json:"seeds"`   // the first ones
	// Interleaving is that of the first seed, where it was asked for.
	Interleaving *Interleaving `json:"interleaving,omitempty"`
}

// A Proof is a pair of locations that raced.
type Proof struct {
	First    string `json:"first"`
	Second   string `json:"second"`
	Variable string `json:"variable,omitempty"`
	Runs     int    `json:"runs"`
	Seed     Seed   `json:"seed"`

	Interleaving *Interleaving `json:"interleaving,omitempty"` // of the seed
}

// A Seed is what a run can be had again by.
type Seed struct {
	Seed uint64 `json:"seed"`
	Hash string `json:"hash"` // of its schedule
}

// seedsKept is how many seeds of a finding are kept.
const seedsKept = 5

func newTally() *Tally { return &Tally{hashes: map[string]bool{}} }

// isFailure says whether findings of the kind are failures, leaks apart.
func isFailure(kind string) bool { return kind != KindLeak && kind != KindHeld }

// Failures is the number of runs that failed, leaks apart.
func (t *Tally) Failures() int {
	n := 0
	for _, f := range t.Findings {
		if isFailure(f.Kind) {
			n += f.Runs
		}
	}
	return n
}

func (t *Tally) add(r *Run) {
	t.Runs++
	t.Decisions += r.Record.Decisions
	t.Preemptions += uint64(r.Record.Preemptions)
	if h := r.Record.Hash; h != "" && !t.hashes[h] {
		t.hashes[h] = true
		t.Schedules++
	}
	seed := Seed{r.Options.Seed, r.Record.Hash}
	if kind, message := r.failure(); kind != "" {
		if r.isHeldUp(kind) {
			kind, message = KindHeld, kind+": "+message
		}
		addFinding(&t.Findings, &Finding{Kind: kind, Message: message, Runs: 1, Seeds: []Seed{seed}})
	} else if message := r.leaks(); message != "" {
		addFinding(&t.Findings, &Finding{Kind: KindLeak, Message: message, Runs: 1, Seeds: []Seed{seed}})
	}
	if why := r.Record.Uncontrolled; why != "" {
		addFinding(&t.Uncontrolled, &Finding{Kind: "uncontrolled", Message: why, Runs: 1, Seeds: []Seed{seed}})
	}
	for i, race := range r.Record.Races {
		alike := func(o sched.Race) bool {
			return o.First.Location == race.First.Location && o.Second.Location == race.Second.Location
		}
		if slices.ContainsFunc(r.Record.Races[:i], alike) {
			continue // the reads and the writes of x++ lie at one place
		}
		t.addProof(&Proof{First: race.First.Location, Second: race.Second.Location, Variable: race.Variable, Runs: 1, Seed: seed})
	}
	for i := range r.Record.Violations {
		t.addBreach(newBreach(&r.Record.Violations[i], seed))
	}
	if len(r.Record.Violations) > 0 {
		t.Broken++
	}
}

// addFinding adds to the finding of the same signature, or a new one. The list is
// in the order of kind and signature.
func addFinding(list *[]*Finding, f *Finding) {
	key := signature(f.Kind, f.Message)
	i, found := slices.BinarySearchFunc(*list, key, func(have *Finding, key string) int {
		return cmp.Compare(signature(have.Kind, have.Message), key)
	})
	if !found {
		clone := *f
		clone.Seeds = slices.Clone(f.Seeds)
		*list = slices.Insert(*list, i, &clone)
		return
	}
	have := (*list)[i]
	if f.Seeds[0].Seed < have.Seeds[0].Seed {
		have.Message, have.Interleaving = f.Message, f.Interleaving
	}
	have.Runs += f.Runs
	have.Seeds = slices.SortedFunc(slices.Values(slices.Concat(have.Seeds, f.Seeds)), func(a, b Seed) int { return cmp.Compare(a.Seed, b.Seed) })
	have.Seeds = have.Seeds[:min(len(have.Seeds), seedsKept)]
}

func (t *Tally) addProof(p *Proof) {
	for _, have := range t.Races {
		if have.First == p.First && have.Second == p.Second {
			have.Runs += p.Runs
			if p.Seed.Seed < have.Seed.Seed {
				have.Seed, have.Variable, have.Interleaving = p.Seed, p.Variable, p.Interleaving
			}
			return
		}
	}
	clone := *p
	t.Races = append(t.Races, &clone)
	slices.SortFunc(t.Races, func(a, b *Proof) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
}

// merge adds another part of the same campaign.
func (t *Tally) merge(o *Tally) {
	t.Runs += o.Runs
	t.Decisions += o.Decisions
	t.Preemptions += o.Preemptions
	t.Schedules += o.Schedules
	for _, f := range o.Findings {
		addFinding(&t.Findings, f)
	}
	for _, f := range o.Uncontrolled {
		addFinding(&t.Uncontrolled, f)
	}
	for _, p := range o.Races {
		t.addProof(p)
	}
	for _, b := range o.Breaches {
		t.addBreach(b)
	}
	t.Broken += o.Broken
	if t.hashes != nil {
		maps.Copy(t.hashes, o.hashes)
	}
}
