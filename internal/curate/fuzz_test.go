package curate

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity"
)

// FuzzMerge proves for any three files, or two without a common origin: merging ends
// with a file or an error, never with a panic or both. Without conflicts the file
// loads, no judgement of either side is lost that the other did not take back, the
// same judgements come out with the sides exchanged, and merging either side once
// more changes none.
func FuzzMerge(f *testing.F) {
	text, err := os.ReadFile("../../atomicity/testdata/curated.yaml")
	if err != nil {
		f.Fatal(err)
	}
	r := rand.New(rand.NewSource(5))
	for _, base := range []string{string(text), file(part("x", "a", "b"), part("y", "c"))} {
		f.Add([]byte(base), []byte(edit(f, r, base)), []byte(edit(f, r, base)))
		f.Add([]byte(nil), []byte(base), []byte(edit(f, r, base)))
	}
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		sides := make([]*atomicity.Spec, 3)
		for i, text := range [][]byte{base, ours, theirs} {
			if i == 0 && len(text) == 0 {
				continue // no common origin
			}
			spec, err := atomicity.Parse("atomicity.yaml", text)
			if err != nil {
				return
			}
			sides[i] = spec
		}
		again := func(i int) *atomicity.Spec { // Merge may change nothing, but let it
			if sides[i] == nil {
				return nil
			}
			return parse(t, string([][]byte{base, ours, theirs}[i]))
		}
		m, err := Merge(again(0), again(1), again(2))
		if err != nil || len(m.Conflicts) > 0 {
			return
		}
		merged := parse(t, string(m.Text))
		back, err := Merge(again(0), again(2), again(1))
		if err != nil || len(back.Conflicts) > 0 {
			return // of the layout of the other side
		}
		if a, b := judgements(merged), judgements(parse(t, string(back.Text))); !slices.Equal(a, b) {
			t.Fatalf("exchanged: %q and %q", a, b)
		}
		for i := 1; i < 3; i++ {
			twice, err := Merge(again(0), parse(t, string(m.Text)), again(i))
			if err != nil || len(twice.Conflicts) > 0 {
				t.Fatalf("merged once more: %v %v", err, twice)
			}
			if a, b := judgements(merged), judgements(parse(t, string(twice.Text))); !slices.Equal(a, b) {
				t.Fatalf("merged once more: %q and %q", a, b)
			}
		}
	})
}

// judgements are what people have said in a file, without where.
func judgements(spec *atomicity.Spec) []string {
	var list []string
	for p := range spec.All() {
		s := p.Section
		list = append(list, fmt.Sprintf("%s %s %s %s %s %s %s", s.Status, s.Reason, s.Heal, s.Assurance, s.Doubt, s.Stale, strings.TrimSpace(s.Note)))
	}
	slices.Sort(list)
	return list
}
