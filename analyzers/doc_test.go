package analyzers_test

import (
	"strings"
	"testing"

	"github.com/atomrace/atomrace/analyzers"
)

// TestDocumented shows that every category that the failing programs and the
// standard library bring up has a heading in its analyzer's doc.
func TestDocumented(t *testing.T) {
	docs := map[string]string{}
	for _, a := range analyzers.All() {
		docs[a.Name] = a.Doc
	}
	for _, name := range directories(t, "fail") {
		candidates, _ := check(t, programs+"/fail/"+name)
		for _, c := range candidates {
			if c.Section != nil && !strings.Contains(docs[c.Section.Origin], "## "+c.Category+"\n") {
				t.Errorf("%s does not document %s", c.Section.Origin, c.Category)
			}
		}
	}
}
