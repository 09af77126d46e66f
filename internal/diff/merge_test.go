package diff

import (
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// mergeText writes the merge of three texts of one-letter lines, conflicts as
// {ours|theirs}.
func mergeText(base, ours, theirs string) string {
	var out strings.Builder
	for _, p := range Merge(strings.Split(base, ""), strings.Split(ours, ""), strings.Split(theirs, "")) {
		if p.Conflict {
			out.WriteString("{" + strings.Join(p.Ours, "") + "|" + strings.Join(p.Theirs, "") + "}")
			continue
		}
		out.WriteString(strings.Join(p.Lines, ""))
	}
	return out.String()
}

func TestMerge(t *testing.T) {
	for _, tt := range []struct{ base, ours, theirs, want string }{
		{"abcd", "abcd", "abcd", "abcd"},
		{"abcd", "aXbcd", "abcYd", "aXbcYd"},
		{"abcd", "acd", "abcdZ", "acdZ"},
		{"abcd", "aXcd", "aXcd", "aXcd"},
		{"abcd", "aXcd", "aYcd", "a{X|Y}cd"},
		{"abcd", "abXcd", "abYcd", "ab{X|Y}cd"},
		{"abcd", "abXcd", "abYd", "abXYd"},
		{"abcd", "abXd", "abYcd", "abYXd"},
		{"abcd", "aXd", "abYd", "a{X|bY}d"},
		{"abcd", "", "abcd", ""},
		{"", "a", "b", "{a|b}"},
	} {
		if got := mergeText(tt.base, tt.ours, tt.theirs); got != tt.want {
			t.Errorf("%q, %q, %q: got %q, want %q", tt.base, tt.ours, tt.theirs, got, tt.want)
		}
	}
}

// With one side unchanged the other is the result; a conflict has both sides
// whole; and exchanging the sides exchanges no more than them in conflicts.
func TestMergeLaws(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	text := func() []string {
		s := make([]string, r.Intn(12))
		for i := range s {
			s[i] = string(rune('a' + r.Intn(4)))
		}
		return s
	}
	flat := func(parts []Part, side func(Part) []string) (out []string) {
		for _, p := range parts {
			if p.Conflict {
				out = append(out, side(p)...)
			} else {
				out = append(out, p.Lines...)
			}
		}
		return out
	}
	ours := func(p Part) []string { return p.Ours }
	theirs := func(p Part) []string { return p.Theirs }
	for range 20000 {
		b, o, u := text(), text(), text()
		if got := flat(Merge(b, o, b), ours); !slices.Equal(got, o) {
			t.Fatalf("%q, %q: only ours changed, got %q", b, o, got)
		}
		if got := flat(Merge(b, b, o), theirs); !slices.Equal(got, o) {
			t.Fatalf("%q, %q: only theirs changed, got %q", b, o, got)
		}
		if x, y := flat(Merge(b, o, u), ours), flat(Merge(b, u, o), theirs); !slices.Equal(x, y) {
			t.Fatalf("%q, %q, %q: %q, exchanged %q", b, o, u, x, y)
		}
	}
}

func TestConflicts(t *testing.T) {
	text, places := Conflicts(strings.SplitAfter("a\nb\nc", "\n"), strings.SplitAfter("a\nx\nc\nd", "\n"))
	if got, want := strings.Join(text, ""), "a\n<<<<<<< ours\nb\nc\n=======\nx\nc\nd\n>>>>>>> theirs\n"; got != want || places != 1 {
		t.Errorf("%d places:\n%s", places, got)
	}
}
