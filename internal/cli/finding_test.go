package cli

import (
	"slices"
	"strings"
	"testing"
)

// Go vet prints a value for each package, and a file can belong to two of them; an
// analyzer that fails has a text in the place of a list.
func TestReadFindings(t *testing.T) {
	all, err := readFindings(strings.NewReader(`{"p": {"testuse": [
		{"posn": "a.go:2:1", "end": "a.go:2:3", "message": "second"},
		{"posn": "a.go:1:1", "end": "a.go:1:1", "message": "first"}]}}
	{}
	{"p_test": {"testuse": [{"posn": "a.go:1:1", "end": "a.go:1:1", "message": "first"}]},
	 "p": {"loadstore": {"error": "out of luck"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	list, failed := all.list()
	var got []string
	for _, d := range list {
		got = append(got, d.analyzer+" "+d.Posn+" "+d.Message)
	}
	if want := []string{"testuse a.go:2:1 second", "testuse a.go:1:1 first"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if want := []string{"loadstore: out of luck"}; !slices.Equal(failed, want) {
		t.Errorf("failed %q, want %q", failed, want)
	}
	if _, err := readFindings(strings.NewReader(`{"p": {} } go: downloading`)); err == nil {
		t.Error("what is no JSON is taken for findings")
	}
}

func TestSplitPosition(t *testing.T) {
	for posn, want := range map[string]struct {
		file         string
		line, column int
	}{
		"/a/b.go:3:7":  {"/a/b.go", 3, 7},
		`C:\\b.go:3:7`: {`C:\\b.go`, 3, 7},
		"b.go:3":       {"b.go", 3, 0},
		"-":            {"-", 0, 0},
		"with:2 b.go:": {"with:2 b.go:", 0, 0},
	} {
		file, line, column := splitPosition(posn)
		if file != want.file || line != want.line || column != want.column {
			t.Errorf("%q is taken apart as %q, %d, %d", posn, file, line, column)
		}
	}
}
