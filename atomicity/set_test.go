package atomicity

import (
	"strings"
	"testing"
)

// withSet is valid with a section over two fields, as a person might write it.
const withSet = valid + `          - id: both
            pattern: user
            function: (*Pool).Put
            with: # what free counts
              - 'Pool.size' # its length
            entry: {access: write, code: "p.free = append(p.free, c)"}
            ends: [{access: write, code: "p.size++", variable: Pool.size, allow: []}]
            origin: user
            status: confirmed
`

func parseSet(t *testing.T) *Spec {
	t.Helper()
	spec, err := Parse("f.yaml", []byte(withSet))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// Saving changes of a set leaves everything else as it stands; formatting keeps the
// comments and what it says.
func TestSetLossless(t *testing.T) {
	spec := parseSet(t)
	if out, err := spec.Bytes(); err != nil || string(out) != withSet {
		t.Errorf("%v\n%s", err, difference(withSet, string(out)))
	}
	spec.Section("both").Ends[0].Allow = Read
	out, err := spec.Bytes()
	if want := strings.Replace(withSet, "allow: []", "allow: [read]", 1); err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, difference(want, string(out)))
	}
	formatted, err := parseSet(t).Format()
	if err != nil || !strings.Contains(string(formatted), "with: ['Pool.size']") || strings.Count(string(formatted), "#") != 2 {
		t.Errorf("%v\n%s", err, formatted)
	}
	spec = parseSet(t)
	spec.Section("both").With = []string{"Pool.size", "Pool.last"}
	spec.Section("both").Ends[0].Variable = "Pool.last"
	if out, err = spec.Bytes(); err != nil || !strings.Contains(string(out), "            with: [Pool.size, Pool.last] # its length\n") || !strings.Contains(string(out), "variable: Pool.last, allow") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := Parse("f.yaml", out); err != nil {
		t.Error(err)
	}
}

// A set means something else with another variable, or when it ends on another one.
func TestSetDigest(t *testing.T) {
	base := parseSet(t).Digest()
	other := parseSet(t)
	other.Section("both").With = append(other.Section("both").With, "Pool.last")
	end := parseSet(t)
	end.Section("both").Ends[0].Variable = ""
	if base == other.Digest() || base == end.Digest() || base != parseSet(t).Digest() {
		t.Error("the digest does not tell sets apart")
	}
}

// The variables of a set follow their type when that has another name.
func TestSetFollowsType(t *testing.T) {
	spec := parseSet(t)
	inferred, err := Parse("inferred", []byte(strings.ReplaceAll(valid, "Pool", "Pond")))
	if err != nil {
		t.Fatal(err)
	}
	names := &Names{
		Functions: map[string]bool{"(*Pond).Get": true, "(*Pond).Put": true}, Variables: map[string]bool{"Pond.free": true, "Pond.size": true},
		Types: map[string]bool{"Pond": true}, Others: map[string]bool{},
	}
	moves := spec.Follow(inferred, Code{Packages: map[string]*Names{"example.com/pool": names}})
	s := spec.Section("both")
	if len(moves) != 2 || s.Function != "(*Pond).Put" || s.With[0] != "Pond.size" || s.Ends[0].Variable != "Pond.size" || spec.Package("example.com/pool").Variable("Pond.free") == nil {
		t.Errorf("%v: %+v", moves, s)
	}
	out, err := spec.Bytes()
	if err != nil || !strings.Contains(string(out), "with: # what free counts\n              - 'Pond.size' # its length\n") || !strings.Contains(string(out), "variable: Pond.size") {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := Parse("f.yaml", out); err != nil {
		t.Error(err)
	}
}

// What is allowed of one variable alone stays as it was written, and means that variable
// by any name.
func TestAlso(t *testing.T) {
	text := strings.Replace(withSet, "variable: Pool.size, allow: []", "variable: Pool.size, allow: [], also: [ read Pool.free, 'write Pool.size' ]", 1)
	spec, err := Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := spec.Bytes(); err != nil || string(out) != text {
		t.Errorf("%v\n%s", err, difference(text, string(out)))
	}
	end := &spec.Section("both").Ends[0]
	if free, size := end.Allows("Pool.free"), end.Allows("Pool.size"); free != Read || size != Write {
		t.Errorf("of free %v, of size %v", free, size)
	}
	if spec.Digest() == parseSet(t).Digest() {
		t.Error("the digest does not know what is allowed")
	}
	spec.Package("example.com/pool").Variable("Pool.free").Name = "Pool.idle"
	spec.Section("both").renameSet(func(name string) string { return strings.Replace(name, "Pool.free", "Pool.idle", 1) })
	out, err := spec.Bytes()
	if want := strings.ReplaceAll(text, "Pool.free", "Pool.idle"); err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, difference(want, string(out)))
	}

	spec = New()
	spec.Packages = parseSet(t).Packages
	end = &spec.Section("both").Ends[0]
	end.Also = []string{"read Pool.free", "write Pool.free"}
	if out, err := spec.Bytes(); err != nil || !strings.Contains(string(out), "allow: [], also: [read Pool.free, write Pool.free]}") {
		t.Errorf("%v\n%s", err, out)
	}
	lint := func(want ...string) {
		t.Helper()
		var got []string
		for _, p := range spec.Lint() {
			got = append(got, p.Check)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("lint says %q, not %q", got, want)
		}
	}
	lint()
	end.Also = append(end.Also, "read Pool.size", "write Pool.size")
	lint("benign")
	end.Allow = Read
	lint("ignored", "ignored", "benign")
}
