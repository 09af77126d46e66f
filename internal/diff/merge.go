package diff

import "slices"

// Part is a piece of a three-way merge, in lines with their ends.
type Part struct {
	// Lines are the merged lines. When both sides changed the same place in
	// different ways there are none, Conflict is set, and Base, Ours and
	// Theirs are what each has there.
	Lines              []string
	Conflict           bool
	Base, Ours, Theirs []string
	// At is the line of Theirs, from 0, at which the part begins there.
	At int
}

// Merge brings together what two texts changed in a third. What only one of
// them changed, or both in the same way, is taken; two changes meet when they
// have a line of the base in common or add lines at the same place.
func Merge(base, ours, theirs []string) []Part {
	a, b := compare(base, ours), compare(base, theirs)
	var parts []Part
	at, aheadA, aheadB := 0, 0, 0 // line of base; how far ours and theirs are ahead
	for len(a) > 0 || len(b) > 0 {
		from, to := first(a, b)
		var takenA, takenB int
		for grown := true; grown; {
			before := takenA + takenB
			to = max(to, take(a, &takenA, from, to))
			to = max(to, take(b, &takenB, from, to))
			grown = takenA+takenB > before
		}
		nextA, nextB := aheadA, aheadB
		for _, e := range a[:takenA] {
			nextA += (e.endB - e.b) - (e.endA - e.a)
		}
		for _, e := range b[:takenB] {
			nextB += (e.endB - e.b) - (e.endA - e.a)
		}
		if from > at {
			parts = append(parts, Part{Lines: base[at:from], At: at + aheadB})
		}
		part := Part{At: from + aheadB}
		o, t := ours[from+aheadA:to+nextA], theirs[from+aheadB:to+nextB]
		switch {
		case takenB == 0 || slices.Equal(o, t):
			part.Lines = o
		case takenA == 0:
			part.Lines = t
		default:
			part.Conflict, part.Base, part.Ours, part.Theirs = true, base[from:to], o, t
		}
		parts = append(parts, part)
		at, aheadA, aheadB = to, nextA, nextB
		a, b = a[takenA:], b[takenB:]
	}
	if at < len(base) {
		parts = append(parts, Part{Lines: base[at:], At: at + aheadB})
	}
	return parts
}

// first is the range of the base of the next edit of either side. Lines added
// at a place come before what is changed from there on.
func first(a, b []edit) (from, to int) {
	if len(a) == 0 || len(b) > 0 && (b[0].a < a[0].a || b[0].a == a[0].a && b[0].endA < a[0].endA) {
		a = b
	}
	return a[0].a, a[0].endA
}

// take counts the edits that have a line in common with the range, or add lines
// where it, being empty, adds some; it returns the end of the last.
func take(edits []edit, taken *int, from, to int) int {
	for _, e := range edits[*taken:] {
		if same := e.a == from && e.endA == to; !same && (e.a >= to || e.a == e.endA && e.a == from) {
			break
		}
		*taken++
		to = max(to, e.endA)
	}
	return to
}

// Conflicts returns a text that is ours, with theirs beside it between the
// marks of git where the two differ, and how many such places there are.
func Conflicts(ours, theirs []string) (text []string, places int) {
	at := 0
	for _, e := range compare(ours, theirs) {
		text = append(text, ours[at:e.a]...)
		text = append(text, "<<<<<<< ours\n")
		text = append(text, whole(ours[e.a:e.endA])...)
		text = append(text, "=======\n")
		text = append(text, whole(theirs[e.b:e.endB])...)
		text = append(text, ">>>>>>> theirs\n")
		at = e.endA
		places++
	}
	return append(text, ours[at:]...), places
}

// whole gives the last line of a file an end.
func whole(lines []string) []string {
	if n := len(lines); n > 0 && (lines[n-1] == "" || lines[n-1][len(lines[n-1])-1] != '\n') {
		lines = append(append([]string{}, lines[:n-1]...), lines[n-1]+"\n")
	}
	return lines
}
