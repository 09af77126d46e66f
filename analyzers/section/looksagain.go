package section

import (
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
)

// lookedAgain are the reads on the way from the entry to the ends that look again: a test that
// decides about the ends is of what they have read, too, as in for v == nil { v = x.p.Load() }.
// What others have done until then breaks nothing.
func (f *finding) lookedAgain(from *occurrence, ends []*hit) []atomicity.End {
	var list []atomicity.End
	for _, h := range f.trail.hits {
		if h.Mode != atomicity.Read || h.occurrence == from || h.key != f.entry.key || !f.testedToo(h) || slices.ContainsFunc(ends, func(e *hit) bool { return e.Access == h.Access }) ||
			!slices.ContainsFunc(ends, func(e *hit) bool { return f.leadsTo(h.occurrence, e.occurrence) }) {
			continue
		}
		if again := f.own(h.occurrence); again != nil && again.Func == f.own(from).Func {
			list = append(list, atomicity.End{Location: f.pkg.Location(again), Allow: atomicity.ReadWrite})
		}
	}
	return list
}

// testedToo says whether a test of what the entry has read is, in a later turn of a loop, one of what
// h has read.
func (f *finding) testedToo(h *hit) bool {
	return slices.ContainsFunc(f.trail.tests, func(test int) bool {
		return slices.ContainsFunc(f.body.Conds[test], func(cond ast.Expr) bool {
			return f.values.carried(cond)[h.Access] || f.values.of(cond)[h.Access]
		})
	})
}
