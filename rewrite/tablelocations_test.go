package rewrite

import (
	"fmt"
	"strings"
	"testing"
)

// The code of a location is in the text of its function, once, and where it is fits into
// 16 bits.
func TestTextsOfFunctions(t *testing.T) {
	var f functions
	code := func(i int) string { return fmt.Sprintf("%d = %s", i, strings.Repeat("x", 500)) }
	for i := range 400 {
		for _, l := range []location{
			{file: "a.go", function: "F", code: code(i % 200)},
			{file: "a.go", function: "G", code: code(0)},
			{file: "b.go", function: "F", code: code(1)},
		} {
			at := f.add(&l)
			row := f.rows[at.row]
			if row.file != l.file || row.name != l.function || at.end > maxText || row.text[at.start:at.end] != l.code {
				t.Fatalf("location %d of %s in %s is elsewhere: %+v", i, l.function, l.file, at)
			}
		}
	}
	if n := len(f.rows); n < 4 || n > 6 {
		t.Errorf("%d rows", n)
	}
	if at := f.add(&location{code: strings.Repeat("é", maxText)}); at.end != maxText {
		t.Errorf("code that is too long ends at %d", at.end)
	}
}
