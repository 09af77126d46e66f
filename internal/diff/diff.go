// Package diff compares two texts line by line, for people who review what a
// rewrite does: the fewest lines possible are shown as changed (E. Myers, An
// O(ND) Difference Algorithm and Its Variations, 1986), where the anchored
// comparison of go-internal/diff moves lines that occur more than once.
package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

const (
	context = 3 // unchanged lines around a change
	// maxEdits bounds memory, which grows with its square: texts that differ
	// in more lines are shown as replaced between their common ends.
	maxEdits = 2000
)

// Unified returns the differences in unified format, nothing when there are
// none.
func Unified(oldName string, old []byte, newName string, new []byte) []byte {
	if bytes.Equal(old, new) {
		return nil
	}
	a, b := lines(old), lines(new)
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", oldName, newName)
	edits := compare(a, b)
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].a-edits[n-1].endA <= 2*context {
			n++
		}
		hunk(&out, a, b, edits[:n])
		edits = edits[n:]
	}
	return out.Bytes()
}

// lines are the lines with their ends; a last one without gets what diff says
// about it.
func lines(text []byte) []string {
	list := strings.SplitAfter(string(text), "\n")
	last := len(list) - 1
	if list[last] == "" {
		return list[:last]
	}
	list[last] += "\n\\ No newline at end of file\n"
	return list
}

// edit replaces the lines a to endA by the lines b to endB.
type edit struct{ a, endA, b, endB int }

func hunk(out *bytes.Buffer, a, b []string, edits []edit) {
	first, last := edits[0], edits[len(edits)-1]
	before := min(context, first.a)
	after := min(context, len(a)-last.endA)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(first.a-before, last.endA+after), extent(first.b-before, last.endB+after))
	at := first.a - before
	for _, e := range edits {
		show(out, " ", a[at:e.a])
		show(out, "-", a[e.a:e.endA])
		show(out, "+", b[e.b:e.endB])
		at = e.endA
	}
	show(out, " ", a[at:at+after])
}

// extent is the range of lines from, counted from 0, to end as a hunk's head
// has it.
func extent(from, end int) string {
	switch n := end - from; n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, n)
	}
}

func show(out *bytes.Buffer, mark string, list []string) {
	for _, l := range list {
		out.WriteString(mark + l)
	}
}

// compare returns the fewest edits that make b of a, in their order.
func compare(a, b []string) []edit {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	var edits []edit
	for _, e := range myers(a[start:endA], b[start:endB]) {
		edits = append(edits, edit{e.a + start, e.endA + start, e.b + start, e.endB + start})
	}
	return edits
}

// Match returns for each line of a which line of b is left of it by the fewest edits
// that make b of a, or -1.
func Match(a, b []string) []int {
	match := make([]int, len(a))
	at, ahead := 0, 0
	for _, e := range append(compare(a, b), edit{len(a), len(a), len(b), len(b)}) {
		for ; at < e.a; at++ {
			match[at] = at + ahead
		}
		for ; at < e.endA; at++ {
			match[at] = -1
		}
		ahead = e.endB - e.endA
	}
	return match
}

// myers walks the diagonals k = x-y of the edit graph with d edits for growing
// d; far[k] is the furthest x reached. The frontiers are kept to walk back.
func myers(a, b []string) []edit {
	n, m := len(a), len(b)
	var kept [][]int
	far := map[int]int{1: 0}
	for d := 0; d <= min(n+m, maxEdits); d++ {
		row := make([]int, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := far[k-1] + 1
			if k == -d || k != d && far[k-1] < far[k+1] {
				x = far[k+1]
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			far[k] = x
			row[k+d] = x
			if x >= n && x-k >= m {
				return backtrack(append(kept, row), n, m)
			}
		}
		kept = append(kept, row)
	}
	return []edit{{0, n, 0, m}}
}

func backtrack(kept [][]int, n, m int) []edit {
	var edits []edit
	x, y := n, m
	for d := len(kept) - 1; d > 0; d-- {
		row := kept[d-1]
		reach := func(k int) int {
			if i := k + d - 1; i >= 0 && i < len(row) {
				return row[i]
			}
			return -1
		}
		k := x - y
		e := edit{}
		if k == -d || k != d && reach(k-1) < reach(k+1) {
			x = reach(k + 1)
			y = x - k - 1
			e = edit{x, x, y, y + 1}
		} else {
			x = reach(k - 1)
			y = x - k + 1
			e = edit{x, x + 1, y, y}
		}
		if i := len(edits) - 1; i >= 0 && edits[i].a == e.endA && edits[i].b == e.endB {
			edits[i].a, edits[i].b = e.a, e.b
		} else {
			edits = append(edits, e)
		}
	}
	slices.Reverse(edits)
	return edits
}
