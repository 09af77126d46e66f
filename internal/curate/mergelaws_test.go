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
		switch r.Intn(10) {
		case 0:
			s.Status, s.Reason = atomicity.Rejected, fmt.Sprint("reason ", r.Intn(3))
		case 1:
			s.Status, s.Heal = atomicity.Confirmed, atomicity.HealLock
		case 2:
			s.Note = fmt.Sprint("note ", r.Intn(3))
		case 3:
			s.Entry.Line++
			s.Doubt = []string{"", "it is done twice", "it is looked at again"}[len(text)/3%3]
			s.Assurance = []atomicity.Assurance{"", atomicity.Assured, atomicity.NotAssured("it calls F")}[len(text)%3]
		case 4:
			p.Variable.Sections = slices.DeleteFunc(p.Variable.Sections, func(x *atomicity.Section) bool { return x == s })
		case 5:
			n := s.Clone()
			n.ID, n.Status, n.Reason, n.Function = fmt.Sprintf("new%d", r.Int()), atomicity.Candidate, "", fmt.Sprint("New", r.Intn(1000))
			p.Variable.Sections = append(p.Variable.Sections, n)
		case 6:
			v := &atomicity.Variable{Name: fmt.Sprint("new", r.Int())}
			p.Package.Variables = append(p.Package.Variables, v)
		case 7: // a comment on a line of its own, where there is one already
			text = comment(r, text, func(line, indent, comment string) string {
				if strings.HasPrefix(strings.TrimSpace(line), "# ") {
					return line + indent + comment
				}
				return line
			})
			continue
		case 8: // a comment above any line, or behind it
			text = comment(r, text, func(line, indent, comment string) string {
				if r.Intn(2) == 0 {
					return indent + comment + line
				}
				return strings.TrimRight(line, "\r\n") + " " + comment
			})
			continue
		case 9: // a whole variable
			p.Package.Variables = slices.DeleteFunc(p.Package.Variables, func(x *atomicity.Variable) bool { return x == p.Variable })
		}
		out, err := spec.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		text = string(out)
	}
	return text
}

// comment adds a comment at a line that is chosen at random, if that is one there.
func comment(r *rand.Rand, text string, add func(line, indent, comment string) string) string {
	lines := strings.SplitAfter(text, "\n")
	end := "\n"
	if strings.HasSuffix(lines[0], "\r\n") {
		end = "\r\n"
	}
	before, err := atomicity.Parse("x", []byte(text))
	for range 9 {
		i := r.Intn(len(lines))
		line := lines[i]
		lines[i] = add(line, line[:len(line)-len(strings.TrimLeft(line, " "))], fmt.Sprintf("# seen %d times", r.Intn(99))+end)
		changed := strings.Join(lines, "")
		after, err2 := atomicity.Parse("x", []byte(changed))
		if err == nil && err2 == nil && after.Digest() == before.Digest() && len(after.Comments()) > len(before.Comments()) {
			return changed
		}
		lines[i] = line
	}
	return text
}

// What one side alone changed is the result, byte for byte; so is what both
// changed alike. Without conflicts the sides may be exchanged, and the result
// merges with each of them into itself; no comment that a side wrote is lost.
func TestMergeHasLaws(t *testing.T) {
	seeds := int64(20)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { mergeHasLaws(t, rand.New(rand.NewSource(seed))) })
	}
}

func mergeHasLaws(t *testing.T, r *rand.Rand) {
	curated, err := os.ReadFile("../../atomicity/testdata/curated.yaml")
	if err != nil {
		t.Fatal(err)
	}
	merge := func(base, ours, theirs string) *Merged {
		m, err := Merge(parse(t, base), parse(t, ours), parse(t, theirs))
		if err != nil {
			t.Fatalf("%v\nours:\n%s\ntheirs:\n%s", err, diff.Unified("base", []byte(base), "ours", []byte(ours)), diff.Unified("base", []byte(base), "theirs", []byte(theirs)))
		}
		return m
	}
	clean := 0
	const rounds = 24
	for i := range rounds {
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
		for _, side := range []string{ours, theirs} {
			for _, c := range parse(t, side).Comments() {
				if !strings.Contains(base, c) && !strings.Contains(string(m.Text), c) {
					t.Fatalf("the comment %q is lost; conflicts: %v\n%s", c, m.Conflicts, m.Text)
				}
			}
		}
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
	}
	if clean < rounds/4 {
		t.Errorf("only %d of %d merges were without conflict", clean, rounds)
	}
}
