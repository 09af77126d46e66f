package atomicity

import (
	"os"
	"testing"
)

// Where things stand in the file, what belongs to them, and how it reads.
func TestPosition(t *testing.T) {
	text, err := os.ReadFile("testdata/curated.yaml")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := Parse("atomicity.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	first, second := spec.Section("(*Pool).Get/Pool.free#1"), spec.Section("second")
	for _, tt := range []struct {
		of    any
		field string
		want  string
	}{
		{first, "", "atomicity.yaml:23:11"},
		{first, "status", "atomicity.yaml:33:19"},
		{&first.Entry, "", "atomicity.yaml:27:18"},
		{&first.Ends[0], "allow", "atomicity.yaml:30:91"},
		{spec.Packages[0], "package", "atomicity.yaml:13:16"},
		{&Section{}, "", "atomicity.yaml"},
	} {
		if got := spec.Position(tt.of, tt.field).String(); got != tt.want {
			t.Errorf("%T %s: got %s, want %s", tt.of, tt.field, got, tt.want)
		}
	}
	commented := spec.Commented()
	if len(commented[first]) != 9 || len(commented[second]) != 6 || len(commented[spec.Section("hits")]) != 1 {
		t.Errorf("commented: %v", commented)
	}
	plain, err := Parse("atomicity.yaml", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	get := plain.Section("get")
	if len(plain.Commented()[get]) > 0 {
		t.Error("there is no comment in the file")
	}
	const want = `- id: get
  pattern: test-and-use
  function: (*Pool).Get
  entry: {access: read, code: "n := len(p.free)", ordinal: 1, line: 31}
  ends:
    - {access: write, code: "p.free = p.free[:n-1]", ordinal: 4, line: 38, allow: [read]}
  origin: testuse
  status: candidate
`
	if got := plain.Text(get); got != want {
		t.Errorf("got\n%s", got)
	}
	// In no file yet, and in a file that is saved.
	fresh := New()
	fresh.Packages = plain.Packages
	if got := fresh.Text(get); got != want || fresh.Position(get, "") != (Position{}) {
		t.Errorf("got %v\n%s", fresh.Position(get, ""), got)
	}
	file := t.TempDir() + "/atomicity.yaml"
	if err := fresh.Save(file); err != nil {
		t.Fatal(err)
	}
	if got := fresh.Position(&get.Ends[0], ""); got.Line != 16 || got.File != file {
		t.Errorf("after saving the end is at %v", got)
	}
}
