package atomicity

import (
	"os"
	"testing"
)

// FuzzMerge proves for any two specs: merging is idempotent, keeps ids unique
// and every judgement as it was, and the result can be saved.
func FuzzMerge(f *testing.F) {
	text, err := os.ReadFile("testdata/curated.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, []byte(valid))
	f.Add([]byte(valid), text)
	f.Add([]byte("version: 1\npackages: [] # none"), []byte(valid))
	f.Fuzz(func(t *testing.T, old, found []byte) {
		spec, err := Parse("old.yaml", old)
		if err != nil {
			return
		}
		inferred, err := Parse("found.yaml", found)
		if err != nil {
			return
		}
		judged := map[string]Section{}
		for p := range spec.All() {
			judged[p.Section.ID] = *p.Section
		}
		spec.Merge(inferred)
		for id, was := range judged {
			now := spec.Section(id)
			if now == nil || now.Status != was.Status || now.Reason != was.Reason || now.Heal != was.Heal || now.Note != was.Note {
				t.Fatalf("section %s was %+v and is %+v", id, was, now)
			}
		}
		first := bytesOf(t, spec) // which also finds ids given twice
		report := spec.Merge(inferred)
		if second := bytesOf(t, spec); second != first || len(report.Added) > 0 || len(report.Updated) > 0 {
			t.Fatalf("merged again: %s\n%s", show(report), difference(first, second))
		}
	})
}
