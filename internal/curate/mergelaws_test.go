package curate

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/diff"
)

// edit changes a file the way people and infer do, at random.
func edit(t testing.TB, r *rand.Rand, text string) string {
	t.Helper()
	for range 1 + r.Intn(3) {
		spec := parse(t, text)
		var places []atomicity.Place
		for p := range spec.All() {
			places = append(places, p)
		}
		if len(places) == 0 {
			return text
		}
		p := places[r.Intn(len(places))]
		s := p.Section
		switch r.Intn(8) {
		case 0:
			s.Status, s.Reason = atomicity.Rejected, fmt.Sprint("reason ", r.Intn(3))
		case 1:
			s.Status, s.Heal = atomicity.Confirmed, atomicity.HealLock
		case 2:
			s.Note = fmt.Sprint("note ", r.Intn(3))
		case 3:
			s.Entry.Line++
			s.Assurance = []atomicity.Assurance{"", atomicity.Assured, atomicity.NotAssured("it calls F")}[len(text)%3]
		case 4:
			p.Variable.Sections = slices.DeleteFunc(p.Variable.Sections, func(x *atomicity.Section) bool { return x == s })
		case 5:
			n := clone(s)
			n.ID, n.Status, n.Reason, n.Function = fmt.Sprintf("new%d", r.Int()), atomicity.Candidate, "", fmt.Sprint("New", r.Intn(1000))
			p.Variable.Sections = append(p.Variable.Sections, n)
		case 6:
			v := &atomicity.Variable{Name: fmt.Sprint("new", r.Int())}
			p.Package.Variables = append(p.Package.Variables, v)
		case 7: // a comment on a line of its own, where there is one already
			lines := strings.SplitAfter(text, "\n")
			for i, line := range lines {
				if strings.HasPrefix(strings.TrimSpace(line), "# ") && r.Intn(2) == 0 {
					lines[i] = line + strings.Replace(line, "# ", fmt.Sprintf("# seen %d ", r.Intn(9)), 1)
					break
				}
			}
			if _, err := atomicity.Parse("x", []byte(strings.Join(lines, ""))); err == nil {
				text = strings.Join(lines, "")
			}
			continue
		}
		out, err := spec.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		text = string(out)
	}
	return text
}

// What one side alone changed is the result, byte for byte; so is what both
// changed alike. Without conflicts the sides may be exchanged, and the result
// merges with each of them into itself.
func TestMergeHasLaws(t *testing.T) {
	curated, err := os.ReadFile("../../atomicity/testdata/curated.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(3))
	merge := func(base, ours, theirs string) *Merged {
		m, err := Merge(parse(t, base), parse(t, ours), parse(t, theirs))
		if err != nil {
			t.Fatalf("%v\nours:\n%s\ntheirs:\n%s", err, diff.Unified("base", []byte(base), "ours", []byte(ours)), diff.Unified("base", []byte(base), "theirs", []byte(theirs)))
		}
		return m
	}
	clean := 0
	for i := range 200 {
		base := []string{string(curated), file(part("x", "a", "b"), part("y", "c")), strings.ReplaceAll(string(curated), "\n", "\r\n")}[i%3]
		ours, theirs := edit(t, r, base), edit(t, r, base)
		for _, law := range []struct {
			name               string
			base, ours, theirs string
			want               string
		}{
			{"only ours changed", base, ours, base, ours}, {"only theirs changed", base, base, theirs, theirs}, {"both changed alike", base, ours, ours, ours},
		} {
			if m := merge(law.base, law.ours, law.theirs); string(m.Text) != law.want || len(m.Conflicts) > 0 {
				t.Fatalf("%s: %v\n%s", law.name, m.Conflicts, diff.Unified("want", []byte(law.want), "got", m.Text))
			}
		}
		m := merge(base, ours, theirs)
		if len(m.Conflicts) > 0 {
			continue
		}
		clean++
		back := merge(base, theirs, ours)
		if a, b := parse(t, string(m.Text)).Digest(), parse(t, string(back.Text)).Digest(); a != b || len(back.Conflicts) > 0 {
			t.Fatalf("exchanged: %v\n%s", back.Conflicts, diff.Unified("there", m.Text, "back", back.Text))
		}
		for name, side := range map[string]string{"ours": ours, "theirs": theirs} {
			again := merge(base, string(m.Text), side)
			if parse(t, string(again.Text)).Digest() != parse(t, string(m.Text)).Digest() {
				t.Fatalf("merged again with %s:\n%s", name, diff.Unified("once", m.Text, "twice", again.Text))
			}
		}
		for _, side := range []string{ours, theirs} {
			if lost, ok := missing(parse(t, side).Comments(), parse(t, string(m.Text)).Comments(), parse(t, base).Comments()); ok {
				t.Fatalf("the comment %q is lost:\n%s", lost, m.Text)
			}
		}
	}
	if clean < 100 {
		t.Errorf("only %d of 200 merges were without conflict", clean)
	}
}

// missing returns a comment that a side has added and the result does not have.
func missing(side, result, base map[int]string) (string, bool) {
	has := func(comments map[int]string, text string) bool {
		for _, c := range comments {
			if c == text {
				return true
			}
		}
		return false
	}
	for _, c := range side {
		if !has(base, c) && !has(result, c) {
			return c, true
		}
	}
	return "", false
}
