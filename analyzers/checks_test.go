package analyzers_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/analyzers/section"
)

// TestPage shows that docs/checks.md is up to date.
func TestPage(t *testing.T) {
	have, err := os.ReadFile("../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != analyzers.Page() {
		t.Error("docs/checks.md is out of date: go run ./internal/checkdocs > docs/checks.md")
	}
}

// TestCheckCode shows that the code before and after of every check is Go, and
// that the two differ.
func TestCheckCode(t *testing.T) {
	for _, c := range analyzers.Checks() {
		for _, code := range []string{c.Before, c.After} {
			src := fmt.Sprintf("package p\nfunc _() any {\n%s\n}", code)
			if _, err := parser.ParseFile(token.NewFileSet(), "", src, 0); err != nil {
				t.Errorf("%s of %s: %v in\n%s", c.ID, c.Analyzer, err, code)
			}
		}
		if c.Before == c.After {
			t.Errorf("%s of %s: nothing is mended", c.ID, c.Analyzer)
		}
	}
}

func TestExplain(t *testing.T) {
	text, ok := analyzers.Explain("unlock-relock")
	for _, want := range []string{"(loadstore, since", "(testuse, since", "Before:\n\n\tp.mu.Lock()\n", "After:", "checks.md#unlock-relock\n"} {
		if !ok || !strings.Contains(text, want) {
			t.Errorf("Explain(unlock-relock) has no %q:\n%s", want, text)
		}
	}
	if _, ok := analyzers.Explain("no-such-check"); ok {
		t.Error("an unknown check is explained")
	}
}

// TestProven shows that -confident picks the checks whose reports people have judged to be
// right, or worth a look, in two of three cases.
func TestProven(t *testing.T) {
	table, err := os.ReadFile("../docs/verdicts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	good, all := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(line, "\t")
		if len(cells) < 8 {
			t.Fatalf("not a line of eight cells: %s", line)
		}
		all[cells[4]]++
		if cells[6] != "false" {
			good[cells[4]]++
		}
	}
	delete(all, "check") // the head of the table
	for check, n := range all {
		right := n >= 5 && 3*good[check] >= 2*n
		if proven := slices.Contains(section.Proven(), check); proven != right {
			t.Errorf("%s: %d of %d reports were right; is proven: %t", check, good[check], n, proven)
		}
	}
}
