package refine

import (
	"slices"

	"github.com/atomrace/atomrace/atomicity"
)

// Healing says which sections are to be healed by a lock in a run, and which are not
// to be healed whatever else is said, so that the run tells as much as it can.
//
// In a run that is aimed at a section those of one statement are healed, which costs
// nothing and keeps nobody from breaking the one that is tried, and those that trials
// have told to be meant: so what fails is laid at the right door. Sections over the
// variable of the one that is tried are not, for their lock would protect it too. In
// other runs the sections that are meant are healed: a program that mostly fails is
// mostly correct then, and what does it no harm is seen.
func (r *Refinement) Healing(aim string) (lock, off []string) {
	if r.options.Untried {
		return nil, nil
	}
	var of *atomicity.Variable
	if c := r.sections[aim]; c != nil {
		of = c.variable
	}
	meant, short := map[*atomicity.Variable][]string{}, map[*atomicity.Variable]bool{}
	for _, id := range r.order {
		c, x := r.sections[id], r.tried(id)
		guilty := x.failed > x.correct && x.failed+x.correct >= trials
		switch {
		case c.variable == of && of != nil:
			off = append(off, id)
		case guilty, aim != "" && c.short && (r.broken(id) || len(r.order) <= few):
			meant[c.variable] = append(meant[c.variable], id)
			short[c.variable] = short[c.variable] || c.short
		}
	}
	for _, id := range r.order {
		c := r.sections[id]
		// Where a short section is enough, a long one would keep too many out.
		if slices.Contains(meant[c.variable], id) && (c.short || !short[c.variable]) {
			lock = append(lock, id)
		}
	}
	return lock, off
}

// few candidates may all be named to a run; of more, those that were broken.
const few = 500

// isShort reports whether a section is one statement, as x++ is.
func isShort(s *atomicity.Section) bool {
	return !slices.ContainsFunc(s.Ends, func(e atomicity.End) bool { return e.Code != s.Entry.Code || e.Line != s.Entry.Line })
}
