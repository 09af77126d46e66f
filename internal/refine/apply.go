package refine

import (
	"fmt"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
)

// Change is what became of one section.
type Change struct {
	Section string
	// What is harmless (all ends are), narrowed (some are), unseen (set
	// aside), or kept.
	What string
	// Why says it in words, with counts.
	Why string
	// Ran and Broken say whether it was ever executed, and ever broken.
	Ran, Broken bool
}

// Narrow makes harmless ends of the candidates of spec allow everything, so that
// they are watched no more, and changes nothing else.
func Narrow(spec *atomicity.Spec, harmless []End) {
	for _, e := range harmless {
		if s := spec.Section(e.Section); s != nil && s.Status == atomicity.Candidate && e.Index < len(s.Ends) {
			s.Ends[e.Index].Allow = atomicity.ReadWrite
		}
	}
}

// Apply writes what the runs have shown into spec, a version of the Spec that the
// refinement began with: harmless ends allow everything, sections of which no
// other ends are left are rejected with the reason, sections that never ran are
// set aside, and all candidates get their evidence. Candidates that a person
// judged or edited in the meantime are left alone.
func (r *Refinement) Apply(spec *atomicity.Spec) []Change {
	narrowed := map[string]int{}
	for _, e := range r.harmless {
		narrowed[e.Section]++
	}
	Narrow(spec, r.harmless)
	var changes []Change
	for _, id := range r.order {
		s, c := spec.Section(id), r.sections[id]
		if s == nil || s.Status != atomicity.Candidate || len(s.Ends) != c.ends {
			continue
		}
		s.Evidence = r.evidence(id)
		ran := len(c.ran) > 0 || s.Evidence.Broken > 0
		change := r.change(s, ran, narrowed[id])
		change.Ran, change.Broken = ran, s.Evidence.Broken > 0
		if change.What == "harmless" || change.What == "unseen" {
			s.Status, s.Reason = atomicity.Rejected, change.Why
		}
		changes = append(changes, change)
	}
	return changes
}

// evidence adds up former refinements and this one.
func (r *Refinement) evidence(id string) atomicity.Evidence {
	e := r.sections[id].evidence
	for i := range r.runs {
		run := &r.runs[i]
		e.Runs++
		e.Seed = max(e.Seed, run.Seed)
		broken := run.breaks(id)
		if run.Correct {
			e.Correct++
		}
		if broken {
			e.Broken++
		}
		if broken && run.Correct {
			e.Harmless++
		}
	}
	return e
}

func (r *Refinement) change(s *atomicity.Section, ran bool, narrowed int) Change {
	e := s.Evidence
	open := slices.ContainsFunc(s.Ends, func(end atomicity.End) bool { return end.Allow != atomicity.ReadWrite })
	failed := fmt.Sprintf("%d of %d runs that failed and %d of %d that were correct", e.Broken-e.Harmless, e.Runs-e.Correct, e.Harmless, e.Correct)
	switch {
	case !open && e.Broken == 0:
		return Change{Section: s.ID, What: "kept", Why: "all its ends allow everything already"}
	case !open:
		return Change{Section: s.ID, What: "harmless", Why: "refine: broken in " + failed}
	case !ran && slices.Contains(r.options.Unseen, s.Pattern):
		return Change{Section: s.ID, What: "unseen", Why: fmt.Sprintf("refine: never executed in %d runs, set aside", e.Runs)}
	case narrowed > 0:
		return Change{Section: s.ID, What: "narrowed", Why: fmt.Sprintf("%d of %d ends allow everything now; broken in %s", narrowed, len(s.Ends), failed)}
	case !ran:
		return Change{Section: s.ID, What: "kept", Why: fmt.Sprintf("never executed in %d runs", e.Runs)}
	case e.Broken == 0:
		return Change{Section: s.ID, What: "kept", Why: fmt.Sprintf("executed, and never broken in %d runs", e.Runs)}
	}
	if x := r.tried(s.ID); x.failed > 0 {
		failed += fmt.Sprintf("; aimed at, it failed %d of %d times", x.failed, x.failed+x.correct)
	}
	return Change{Section: s.ID, What: "kept", Why: "broken in " + failed}
}
