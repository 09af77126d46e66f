package rewrite

import (
	"fmt"
	"strings"
	"testing"
)

// A section is apart where an end may be reached without the entry, in one activation.
func TestApart(t *testing.T) {
	for _, x := range []struct {
		entry, body string
		apart       bool
	}{
		{"n := t.x", "n := t.x; t.x = n + 1", false},
		{"n := t.x", "n := t.x; if n > 0 { t.x = n + 1 }", false},
		{"n := t.x", "n := t.x; for range 3 { t.x = n + 1 }", false},
		{"n := t.x", "for range 3 { n := t.x; work(); t.x = n + 1 }", false},
		{"n := t.x", "if n := t.x; n > 0 { t.x = n + 1 }", false},
		{"n := t.x", "switch n := t.x; n { case 1: t.x = n + 1 }", false},
		{"n = t.x", "n := 0; if !again { return }; n = t.x; t.x = n + 1", false},
		{"n = t.x", "n := 0; if again { n = t.x }; t.x = n + 1", true},
		{"if again && t.x > 0", "n := 0; if again && t.x > 0 { n = 1 }; t.x = n + 1", true},
		{"n = t.x", "n := 0; for again { n = t.x }; t.x = n + 1", true},
		{"n := t.x", "n := t.x; func() { t.x = n + 1 }()", true},
		{"n := t.x", "n := t.x; defer func() { t.x = n + 1 }()", true},
		{"n = t.x", "n := 0; func() { n = t.x }(); t.x = n + 1", true},
		{"n = t.x", "n := 0; if again { goto end }; n = t.x; end: t.x = n + 1", true},
	} {
		b, file := benchWith(t, fmt.Sprintf("package main\n\ntype T struct{ x int }\n\nfunc (t *T) take(again bool) {\n%s\n}\n\nfunc work() {}\n\nfunc main() { (&T{}).take(true) }\n", strings.ReplaceAll(x.body, "; ", "\n")))
		spec := specOf(t, fmt.Sprintf(apartSpec, x.entry))
		r := b.rewrite(t, Options{Spec: spec})
		if len(r.Stale) > 0 || r.Hooks.Sections != 1 {
			t.Errorf("%s: %v", x.body, r.Stale)
			continue
		}
		if got := strings.Contains(string(r.Files[file]), "Apart: true"); got != x.apart {
			t.Errorf("%s: %v", x.body, got)
		}
	}
}

const apartSpec = `version: 1
packages:
  - package: golden/p
    variables:
      - variable: T.x
        sections:
          - id: take
            pattern: load-and-store
            origin: user
            status: confirmed
            function: (*T).take
            entry: {access: read, code: %q}
            ends: [{access: write, code: "t.x = n + 1", allow: [read]}]
`
