package cli

import (
	"testing"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/rewrite"
)

// TestStaleError: what the file says must be there, what was found for this build need not.
func TestStaleError(t *testing.T) {
	spec := atomicity.New()
	for _, path := range []string{"written", "inferred"} {
		spec.Packages = append(spec.Packages, &atomicity.Package{Path: path, Variables: []*atomicity.Variable{
			{Name: "T.n", Sections: []*atomicity.Section{{ID: "one", Status: atomicity.Candidate}}},
		}})
	}
	found := map[string]bool{"inferred": true}
	for path, want := range map[string]bool{"written": true, "inferred": false} {
		stale := []rewrite.Stale{{Package: path, Variable: "T.n", Section: "one", Missing: "no entry"}}
		if err := staleError(spec, found, stale); (err != nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}
