package refine

import (
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// End names one end of a section: entry and exit are a pair of papers/001.
type End struct {
	Section string `json:"section"` // id
	Index   int    `json:"end"`     // in Section.Ends
}

// Run is what was seen of one run.
type Run struct {
	// Seed is that of its noise.
	Seed int `json:"seed"`
	// Correct is the verdict of the oracle.
	Correct bool `json:"correct"`
	// Aim is the section at whose entry alone there was noise, with all others
	// healed, if that was so.
	Aim string `json:"aim,omitempty"`
	// Broken are the ends at which a section was broken, in any order.
	Broken []End `json:"broken,omitempty"`
	// Ignored are the ends that were found harmless before and not watched.
	Ignored []End `json:"ignored,omitempty"`
}

// breaks reports whether the section was broken at any end.
func (r *Run) breaks(section string) bool {
	return slices.ContainsFunc(r.Broken, func(e End) bool { return e.Section == section })
}

// Options say when a refinement is finished, and how far it may go.
type Options struct {
	// Stable is how many correct runs in a row must change nothing.
	Stable int
	// Untried lets sections go as the paper does, without trying them.
	Untried bool
	// Unseen are the patterns whose sections are set aside when they never
	// ran.
	Unseen []atomicity.Pattern
}

// Refinement is the account of the runs so far.
type Refinement struct {
	options  Options
	sections map[string]*candidate
	order    []string // ids of sections, in the order of the file
	runs     []Run
	harmless []End
	settled  int // correct runs since the last change
}

// candidate is a section that is refined.
type candidate struct {
	evidence atomicity.Evidence // of former refinements
	ends     int
	ran      map[int]bool // ends that were executed with the entry
	variable *atomicity.Variable
	short    bool // see isShort
}

// New starts a refinement of the candidates of spec, going on from the evidence
// that it has.
func New(spec *atomicity.Spec, o Options) *Refinement {
	r := &Refinement{options: o, sections: map[string]*candidate{}}
	for p := range spec.All() {
		if s := p.Section; s.Status == atomicity.Candidate {
			r.sections[s.ID] = &candidate{evidence: s.Evidence, ends: len(s.Ends), ran: map[int]bool{}, variable: p.Variable, short: isShort(s)}
			r.order = append(r.order, s.ID)
		}
	}
	return r
}

// Candidates returns how many sections are refined.
func (r *Refinement) Candidates() int { return len(r.order) }

// LastSeed is the largest one with which a refinement begins.
const LastSeed = 1_000_000_000

// NextSeed is one that no run before has used, as far as is known; after LastSeed they
// begin anew.
func (r *Refinement) NextSeed() int {
	last := 0
	for _, c := range r.sections {
		last = max(last, c.evidence.Seed)
	}
	for _, run := range r.runs {
		last = max(last, run.Seed)
	}
	return last%LastSeed + 1
}

// Add counts one run and reports whether it changed what Harmless returns.
func (r *Refinement) Add(run Run) (changed bool) {
	run.Broken = slices.DeleteFunc(slices.Clone(run.Broken), func(e End) bool {
		c := r.sections[e.Section]
		return c == nil || e.Index < 0 || e.Index >= c.ends
	})
	r.runs = append(r.runs, run)
	before := r.harmless
	r.harmless = r.judge()
	changed = !slices.Equal(before, r.harmless)
	switch {
	case changed:
		r.settled = 0
	case run.Correct:
		r.settled++
	}
	return changed
}

// Ran notes the ends that were executed in any run, as their entries were.
func (r *Refinement) Ran(ends []End) {
	for _, e := range ends {
		if c := r.sections[e.Section]; c != nil {
			c.ran[e.Index] = true
		}
	}
}

// Settled returns how many correct runs in a row have changed nothing, and
// whether that is enough: nothing is left to be tried either.
func (r *Refinement) Settled() (runs int, enough bool) {
	return r.settled, r.settled >= r.options.Stable && r.Aim() == ""
}

// Unsettle asks for Options.Stable correct runs anew, because the program was
// built again.
func (r *Refinement) Unsettle() { r.settled = 0 }

// Counts returns how many runs there were, and how many of them were correct.
func (r *Refinement) Counts() (runs, correct int) {
	for _, run := range r.runs {
		if run.Correct {
			correct++
		}
	}
	return len(r.runs), correct
}

// A section is tried until trials of the runs aimed at it have broken it, or, if it
// cannot be broken that way, after attempts of them.
const (
	trials   = 3 // odd, so that a majority is one
	attempts = 6
)

// Aim returns the section that the next run had better be aimed at, because it
// was broken and has not been tried enough; empty if there is none. Sections of
// several statements come first, then those that were tried least. How such a run
// heals, Healing says.
func (r *Refinement) Aim() string {
	if r.options.Untried {
		return ""
	}
	best, least := "", 2*attempts
	for _, id := range r.order {
		x := r.tried(id)
		if !r.broken(id) || x.failed+x.correct >= trials || x.runs >= attempts {
			continue
		}
		rank := x.runs
		if r.sections[id].short {
			rank += attempts
		}
		if rank < least {
			best, least = id, rank
		}
	}
	return best
}

// Harmless returns the ends that may allow everything, sorted: those at which a
// section was broken in a correct run, but for sections that are still to be tried
// and those that mostly failed when they were.
func (r *Refinement) Harmless() []End { return slices.Clone(r.harmless) }

func (r *Refinement) judge() []End {
	var ends []End
	for _, run := range r.runs {
		if run.Correct {
			ends = append(ends, run.Broken...)
		}
	}
	slices.SortFunc(ends, compareEnds)
	ends = slices.Compact(ends)
	return slices.DeleteFunc(ends, func(e End) bool {
		x := r.tried(e.Section)
		return !r.options.Untried && (x.failed > x.correct || x.failed+x.correct < trials && x.runs < attempts)
	})
}

func compareEnds(a, b End) int {
	if c := strings.Compare(a.Section, b.Section); c != 0 {
		return c
	}
	return a.Index - b.Index
}

func (r *Refinement) broken(id string) bool {
	return slices.ContainsFunc(r.runs, func(run Run) bool { return run.breaks(id) })
}

// tries are the runs aimed at a section: all, and those that broke it, by verdict.
type tries struct{ runs, failed, correct int }

func (r *Refinement) tried(id string) (x tries) {
	for i := range r.runs {
		run := &r.runs[i]
		if run.Aim != id {
			continue
		}
		x.runs++
		switch broken := run.breaks(id); {
		case broken && run.Correct:
			x.correct++
		case broken:
			x.failed++
		}
	}
	return x
}
