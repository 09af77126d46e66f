package diff

import (
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	old := "a\nlock\nread\nunlock\nb\nlock\nwrite\nunlock\nend"
	new := "a\nhold\nlock\nload\nunlock\nb\nlock\nwrite\nunlock\nrelease\nend\n"
	want := `--- x.orig
+++ x
@@ -1,9 +1,11 @@
 a
+hold
 lock
-read
+load
 unlock
 b
 lock
 write
 unlock
-end
\ No newline at end of file
+release
+end
`
	if got := string(Unified("x.orig", []byte(old), "x", []byte(new))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Unified("x", []byte(old), "x", []byte(old)); got != nil {
		t.Errorf("of equal texts: %q", got)
	}
}

// Applying the edits to the old text gives the new one, with no more changes
// than the longest common subsequence leaves.
func TestCompareIsRightAndMinimal(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	text := func() []string {
		list := make([]string, random.Intn(30))
		for i := range list {
			list[i] = string(rune('a' + random.Intn(4)))
		}
		return list
	}
	for range 2000 {
		a, b := text(), text()
		var got []string
		at, changes := 0, 0
		for _, e := range compare(a, b) {
			got = append(append(got, a[at:e.a]...), b[e.b:e.endB]...)
			at = e.endA
			changes += e.endA - e.a + e.endB - e.b
		}
		got = append(got, a[at:]...)
		if strings.Join(got, "") != strings.Join(b, "") {
			t.Fatalf("%v to %v: got %v", a, b, got)
		}
		if want := len(a) + len(b) - 2*common(a, b); changes != want {
			t.Fatalf("%v to %v: %d changes, want %d", a, b, changes, want)
		}
	}
}

// common is the length of the longest common subsequence.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// git makes the new text of the old one and the diff.
func TestApplies(t *testing.T) {
	dir := t.TempDir()
	var a, b strings.Builder
	for i := range 200 {
		line := strings.Repeat("x", i%17) + "\n"
		if i%13 != 0 {
			a.WriteString(line)
		}
		if i%29 != 0 {
			b.WriteString(line)
		}
		if i%50 == 0 {
			b.WriteString("more\n")
		}
	}
	patch := Unified("a/f", []byte(a.String()), "b/f", []byte(b.String()))
	for name, text := range map[string]string{"f": a.String(), "p": string(patch)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "apply", "p")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s%s", err, out, patch)
	}
	got, err := os.ReadFile(filepath.Join(dir, "f"))
	if err != nil || string(got) != b.String() {
		t.Fatalf("%v, got\n%s", err, got)
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want []int
	}{
		{"", "", []int{}},
		{"a b c", "a b c", []int{0, 1, 2}},
		{"a b c", "x a c", []int{1, -1, 2}},
		{"a b", "c", []int{-1, -1}},
		{"b d", "a b c d e", []int{1, 3}},
	} {
		if got := Match(strings.Fields(tt.a), strings.Fields(tt.b)); !slices.Equal(got, tt.want) {
			t.Errorf("%q, %q: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
