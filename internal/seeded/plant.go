package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// batches puts the breaks into groups that can be made at once: one of each type.
func batches(seeds []*seed) [][]*seed {
	type key struct{ dir, owner string }
	var list [][]*seed
	next := map[key]int{}
	for _, s := range seeds {
		k := key{s.file[:strings.LastIndexByte(s.file, '/')], s.owner}
		n := next[k]
		next[k]++
		if n == len(list) {
			list = append(list, nil)
		}
		list[n] = append(list[n], s)
	}
	return list
}

// plant makes the breaks, but those in without; undo puts the files back.
func plant(batch, without []*seed) (undo func() error, err error) {
	originals := map[string][]byte{}
	undo = func() error {
		var errs []error
		for file, text := range originals {
			errs = append(errs, os.WriteFile(file, text, 0o644))
		}
		return errors.Join(errs...)
	}
	edits := map[string][]edit{}
	for _, s := range batch {
		if !slices.Contains(without, s) {
			edits[s.file] = append(edits[s.file], s.edits...)
		}
	}
	for file, list := range edits {
		text, err := os.ReadFile(file)
		if err != nil {
			return undo, err
		}
		originals[file] = text
		slices.SortStableFunc(list, func(a, b edit) int { return a.from - b.from })
		var out []byte
		at := 0
		for _, e := range list {
			out = append(append(out, text[at:e.from]...), e.text...)
			at = e.to
		}
		if err := os.WriteFile(file, append(out, text[at:]...), 0o644); err != nil {
			return undo, err
		}
	}
	return undo, nil
}

// verdict is what was made of the break: "found", "doubtful: " and why, or "missed".
func (s *seed) verdict(before, after []diagnostic) string {
	result := "missed"
	for _, d := range after {
		if !slices.ContainsFunc(d.places, s.covers) || slices.ContainsFunc(before, func(b diagnostic) bool {
			return b.analyzer == d.analyzer && slices.ContainsFunc(b.places, s.covers) && b.message == d.message
		}) {
			continue
		}
		_, why, doubtful := strings.Cut(d.message, " (doubtful: ")
		if !doubtful {
			return "found"
		}
		result = "doubtful: " + strings.TrimSuffix(why, ")")
	}
	return result
}

// covers says whether the place, file:line:column, lies between the test and the act.
func (s *seed) covers(place string) bool {
	rest, ok := strings.CutPrefix(place, s.file+":")
	if !ok {
		return false
	}
	number, _, _ := strings.Cut(rest, ":")
	line, err := strconv.Atoi(number)
	return err == nil && s.first <= line && line <= s.last
}

// tally counts verdicts by kind.
type tally map[string]map[string]int

func (t tally) count(kind, verdict string) {
	if t[kind] == nil {
		t[kind] = map[string]int{}
	}
	t[kind][verdict]++
}

// print prints the counts, and then those that were not found by reason.
func (t tally) print(w io.Writer) {
	var kinds []string
	for k := range t {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	reasons := map[string]int{}
	fmt.Fprintln(w, "| break | made | found | doubtful | missed |\n|---|---:|---:|---:|---:|")
	for _, k := range kinds {
		all, doubtful := 0, 0
		for verdict, n := range t[k] {
			all += n
			if why, ok := strings.CutPrefix(verdict, "doubtful: "); ok {
				doubtful += n
				reasons[why] += n
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", k, all, t[k]["found"], doubtful, t[k]["missed"])
	}
	var order []string
	for why := range reasons {
		order = append(order, why)
	}
	slices.SortFunc(order, func(a, b string) int {
		if reasons[a] != reasons[b] {
			return reasons[b] - reasons[a]
		}
		return strings.Compare(a, b)
	})
	for _, why := range order {
		fmt.Fprintf(w, "%4d doubtful: %s\n", reasons[why], why)
	}
}
