package curate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// sameWords reports whether the two versions of a section differ at most in
// what infer refreshes.
func sameWords(a, b *atomicity.Section) bool {
	return a.Status == b.Status && a.Reason == b.Reason && a.Heal == b.Heal && a.Note == b.Note &&
		a.Pattern == b.Pattern && a.Origin == b.Origin && slices.Equal(allowed(a), allowed(b)) &&
		(a.Origin != string(atomicity.User) || sameCode(a, b))
}

func allowed(s *atomicity.Section) []allowance {
	var list []allowance
	for _, e := range s.Ends {
		list = append(list, allowanceOf(e))
	}
	return list
}

// allowance is what an end allows, which belongs together.
type allowance struct {
	set  atomicity.AccessSet
	also string // sorted, a line each
}

func allowanceOf(e atomicity.End) allowance {
	return allowance{e.Allow, strings.Join(slices.Sorted(slices.Values(e.Also)), "\n")}
}

// String is the allowance for a message.
func (a allowance) String() string {
	if a.also == "" {
		return a.set.String()
	}
	return a.set.String() + " and " + strings.ReplaceAll(a.also, "\n", ", ")
}

// sameCode reports whether function, entry and ends are the same but for the
// lines and what the ends allow.
func sameCode(a, b *atomicity.Section) bool {
	same := func(a, b atomicity.Location) bool {
		a.Line, b.Line = 0, 0
		return a == b
	}
	if a.Function != b.Function || !slices.Equal(a.With, b.With) || !same(a.Entry, b.Entry) || len(a.Ends) != len(b.Ends) {
		return false
	}
	for i := range a.Ends {
		if a.Ends[i].Variable != b.Ends[i].Variable || !same(a.Ends[i].Location, b.Ends[i].Location) {
			return false
		}
	}
	return true
}

// sameLines reports whether the hints of two versions are the same.
func sameLines(a, b *atomicity.Section) bool {
	return a.Entry.Line == b.Entry.Line && slices.EqualFunc(a.Ends, b.Ends, func(x, y atomicity.End) bool { return x.Line == y.Line })
}

// choose merges one value: what one side changed, else what both say, and
// fought when both changed it differently. Without a base, nothing gives way to
// something.
func choose[T comparable](hasBase bool, base, ours, theirs, nothing T) (value T, fought bool) {
	switch {
	case ours == theirs, hasBase && theirs == base, !hasBase && theirs == nothing:
		return ours, false
	case hasBase && ours == base, !hasBase && ours == nothing:
		return theirs, false
	}
	return ours, true
}

// judgement is what a person decided: status and reason belong together.
type judgement struct {
	status atomicity.Status
	reason string
}

// both merges a section that both sides have; b may be nil.
func (m *merging) both(b, o, t *atomicity.Section, preferTheirs bool) *atomicity.Section {
	hasBase := b != nil
	if b == nil {
		b = &atomicity.Section{}
	}
	out := o.Clone()
	fight := func(field string, ours, theirs any) bool {
		m.conflict(m.of, o, fmt.Sprintf("ours has %s: %v, and theirs has %s: %v", field, ours, field, theirs))
		return preferTheirs
	}
	j, fought := choose(hasBase, judgement{b.Status, b.Reason}, judgement{o.Status, o.Reason}, judgement{t.Status, t.Reason}, judgement{atomicity.Candidate, ""})
	if fought {
		field, x, y := "status", string(o.Status), string(t.Status)
		if o.Status == t.Status {
			field, x, y = "reason", o.Reason, t.Reason
		}
		if fight(field, x, y) {
			j = judgement{t.Status, t.Reason}
		}
	}
	out.Status, out.Reason = j.status, j.reason
	if out.Heal, fought = choose(hasBase, b.Heal, o.Heal, t.Heal, atomicity.HealDefault); fought && fight("heal", o.Heal, t.Heal) {
		out.Heal = t.Heal
	}
	if out.Note, fought = choose(hasBase, b.Note, o.Note, t.Note, ""); fought && fight("note", o.Note, t.Note) {
		out.Note = t.Note
	}
	// What an analyzer recognises it goes on looking after, whoever wrote it too.
	if out.Pattern, fought = choose(hasBase, b.Pattern, o.Pattern, t.Pattern, atomicity.User); fought && hasBase && fight("pattern", o.Pattern, t.Pattern) {
		out.Pattern = t.Pattern
	}
	if out.Origin, fought = choose(hasBase, b.Origin, o.Origin, t.Origin, string(atomicity.User)); fought && preferTheirs {
		out.Origin = t.Origin
	}
	out.Stale = mergeStale(hasBase, b.Stale, o.Stale, t.Stale)
	out.Assurance = mergeAssurance(hasBase, b.Assurance, o.Assurance, t.Assurance)
	out.Doubt = mergeDoubt(hasBase, b.Doubt, o.Doubt, t.Doubt)
	if t.Evidence.Runs > o.Evidence.Runs {
		out.Evidence = t.Evidence // nobody judges by it; the next refine goes on from more
	}
	m.code(out, b, o, t, hasBase, preferTheirs, fight)
	return out
}

// code merges function, entry and ends.
func (m *merging) code(out, b, o, t *atomicity.Section, hasBase, preferTheirs bool, fight func(field string, ours, theirs any) bool) {
	theirs := func() {
		c := t.Clone()
		out.Function, out.With, out.Entry, out.Ends = c.Function, c.With, c.Entry, c.Ends
	}
	inferred := o.Origin != string(atomicity.User)
	switch {
	case sameCode(o, t):
		if hasBase && sameLines(o, b) {
			theirs() // with its lines; what the ends allow follows
		}
	case hasBase && sameCode(o, b) && (slices.Equal(allowed(o), allowed(b)) || len(o.Ends) == len(t.Ends)):
		theirs()
	case hasBase && sameCode(t, b), inferred:
	default:
		if fight("code", "`"+o.Entry.Code+"`", "`"+t.Entry.Code+"`") {
			theirs()
		}
	}
	if len(o.Ends) != len(t.Ends) || hasBase && len(b.Ends) != len(o.Ends) {
		return // an end that came or went has what its side allows
	}
	for i := range out.Ends {
		var base allowance
		if hasBase {
			base = allowanceOf(b.Ends[i])
		}
		ours, theirs := allowanceOf(o.Ends[i]), allowanceOf(t.Ends[i])
		allow, fought := choose(hasBase, base, ours, theirs, theirs)
		if !hasBase {
			allow, fought = ours, ours != theirs
		}
		if fought && fight("allow", ours, theirs) {
			allow = theirs
		}
		from := &o.Ends[i]
		if allow != ours {
			from = &t.Ends[i]
		}
		out.Ends[i].Allow, out.Ends[i].Also = from.Allow, slices.Clone(from.Also)
	}
}

// mergeStale merges the marks of infer: what one side changed, else no mark, for
// who has none has seen the code last.
func mergeStale(hasBase bool, base, ours, theirs atomicity.Staleness) atomicity.Staleness {
	switch {
	case ours == theirs, hasBase && theirs == base:
		return ours
	case hasBase && ours == base:
		return theirs
	}
	return atomicity.NotStale
}

// mergeDoubt merges what infer sees of harm: what one side changed, else no doubt if one side
// has none, with which a violation is a failure, until the next infer knows about both sides
// together.
func mergeDoubt(hasBase bool, base, ours, theirs string) string {
	switch {
	case hasBase && theirs == base:
		return ours
	case hasBase && ours == base:
		return theirs
	}
	return min(ours, theirs)
}

// mergeAssurance merges what infer has found out: what one side changed, else what
// promises less, until the next infer knows about both sides together.
func mergeAssurance(hasBase bool, base, ours, theirs atomicity.Assurance) atomicity.Assurance {
	switch {
	case hasBase && theirs == base:
		return ours
	case hasBase && ours == base:
		return theirs
	}
	return max(ours, theirs) // "yield, because …" comes behind "lock"
}
