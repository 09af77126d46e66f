package analyzers_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/internal/variant"
)

// fix fails the test where a fix of the diagnostic does not compile.
func (l *originals) fix(t *testing.T, name string, v *varied, d analysis.Diagnostic) {
	t.Helper()
	for _, f := range d.SuggestedFixes {
		edits := slices.Clone(f.TextEdits)
		slices.SortFunc(edits, func(a, b analysis.TextEdit) int { return int(b.Pos - a.Pos) })
		text := slices.Clone(v.source)
		for _, e := range edits { // the last ones first
			file, end := l.fset.File(e.Pos), max(e.Pos, e.End)
			text = slices.Replace(text, file.Offset(e.Pos), file.Offset(end), e.NewText...)
		}
		if l.check(v.original, &variant.Result{Source: text, From: v.from}) == nil {
			t.Errorf("%s of %s: the fix of %q does not compile:\n%s", name, v.original.id, d.Message, text)
		}
	}
}
