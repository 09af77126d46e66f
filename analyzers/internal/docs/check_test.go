package docs

import (
	"strings"
	"testing"
)

const sample = `find things

Text of the analyzer.

## lost-thing

The thing is lost. It happens when
nobody looks.

	a()

	b()

Do both at once.

	ab()

Since 0.2, severity: error.
`

func TestChecks(t *testing.T) {
	checks, err := Checks("finder", sample)
	if err != nil {
		t.Fatal(err)
	}
	want := Check{
		ID: "lost-thing", Analyzer: "finder", Title: "The thing is lost", Text: "It happens when nobody looks.",
		Before: "a()\n\nb()", Remedy: "Do both at once.", After: "ab()", Since: "0.2", Severity: "error",
	}
	if len(checks) != 1 || checks[0] != want {
		t.Errorf("got  %+v\nwant %+v", checks, want)
	}
}

func TestIncomplete(t *testing.T) {
	for _, tt := range []struct{ remove, want string }{
		{"The thing is lost. It happens when\nnobody looks.\n", "no title"},
		{"\tab()\n", "no code before and after"},
		{"Since 0.2, severity: error.\n", `no line "Since`},
		{"error", `severity "" is not`},
	} {
		_, err := Checks("finder", strings.Replace(sample, tt.remove, "", 1))
		if err == nil || !strings.Contains(err.Error(), "finder: check lost-thing: "+tt.want) {
			t.Errorf("without %q: %v, want %s", tt.remove, err, tt.want)
		}
	}
}
