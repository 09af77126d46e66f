package curate

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/diff"
)

// part writes a variable with sections, each "id" or "id status extra lines".
func part(name string, sections ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "      - variable: %s\n        sections:\n", name)
	for i, text := range sections {
		id, rest, _ := strings.Cut(text, "\n")
		fmt.Fprintf(&b, "          - id: %s\n            pattern: load-and-store\n            function: F\n", id)
		fmt.Fprintf(&b, "            entry: {access: read, code: \"%s++\", ordinal: %d}\n            ends:\n              - {access: write, code: \"%s++\", ordinal: %d, allow: [read]}\n", id, 2*i+1, id, 2*i+2)
		if rest == "" {
			rest = "status: candidate"
		}
		for line := range strings.Lines("origin: loadstore\n" + rest) {
			b.WriteString("            " + strings.TrimRight(line, "\n") + "\n")
		}
	}
	return b.String()
}

func file(parts ...string) string {
	return "version: 1\n# Ours.\npackages:\n  - package: p\n    variables:\n" + strings.Join(parts, "")
}

func parse(t testing.TB, text string) *atomicity.Spec {
	t.Helper()
	spec, err := atomicity.Parse("atomicity.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return spec
}

func TestMerge(t *testing.T) {
	base := file(part("x", "a", "b"), part("y", "c"))
	rejected := "b\nstatus: rejected\nreason: never mind"
	tests := []struct{ name, ours, theirs, want string }{
		{"both added to one variable", file(part("x", "a", "b", "d"), part("y", "c")), file(part("x", "a", "b", "e"), part("y", "c")),
			// The numbers of the accesses are those each side found.
			strings.NewReplacer("e++\", ordinal: 7", "e++\", ordinal: 5", "e++\", ordinal: 8", "e++\", ordinal: 6").Replace(file(part("x", "a", "b", "d", "e"), part("y", "c")))},
		{"variables in the middle and at the end", file(part("x", "a", "b"), part("w", "d"), part("y", "c")), file(part("x", "a", "b"), part("y", "c"), part("z", "e")),
			file(part("x", "a", "b"), part("w", "d"), part("y", "c"), part("z", "e"))},
		{"both added the same", file(part("x", "a", "b", "d"), part("y", "c")), strings.Replace(file(part("x", "a", "b", "d"), part("y", "c")), "id: d", "id: other", 1),
			file(part("x", "a", "b", "d"), part("y", "c"))},
		{"neighbouring fields", file(part("x", "a", "b\nstatus: confirmed"), part("y", "c")), file(part("x", "a", "b\nstatus: candidate\nnote: mine"), part("y", "c")),
			file(part("x", "a", "b\nstatus: confirmed\nnote: mine"), part("y", "c"))},
		{"judged and removed elsewhere", file(part("x", "a", rejected), part("y", "c")), file(part("x", "a", "b")),
			file(part("x", "a", rejected))},
		{"line breaks of ours, and a comment of theirs", strings.ReplaceAll(base, "\n", "\r\n"), base + "  # The end.\n", strings.ReplaceAll(base+"  # The end.\n", "\n", "\r\n")},
		{"line breaks of theirs, and a note of ours", file(part("x", "a", "b\nstatus: candidate\nnote: mine"), part("y", "c")), strings.ReplaceAll(base, "\n", "\r\n"),
			strings.ReplaceAll(file(part("x", "a", "b\nstatus: candidate\nnote: mine"), part("y", "c")), "\n", "\r\n")},
		{"comments of both", strings.Replace(base, "          - id: a", "          # Look.\n          - id: a", 1), strings.Replace(base, "status: candidate\n          - id: b", "status: candidate # so far\n          - id: b", 1),
			strings.Replace(strings.Replace(base, "status: candidate\n          - id: b", "status: candidate # so far\n          - id: b", 1), "          - id: a", "          # Look.\n          - id: a", 1)},
		{"comments at one place", strings.Replace(base, "          - id: b", "          # Ann.\n          - id: b", 1), strings.Replace(base, "          - id: b", "          # Bob.\n          - id: b", 1),
			strings.Replace(base, "          - id: b", "          # Bob.\n          # Ann.\n          - id: b", 1)},
		{"a new section with its comment", base, strings.Replace(file(part("x", "a", "b", "d"), part("y", "c")), "          - id: d", "          # The new one.\n          - id: d", 1),
			strings.Replace(file(part("x", "a", "b", "d"), part("y", "c")), "          - id: d", "          # The new one.\n          - id: d", 1)},
		{"a variable with a comment, removed elsewhere", file(part("x", "a", "b")), strings.Replace(base, "variable: y", "variable: y # of Ann", 1),
			strings.TrimSuffix(file(part("x", "a", "b")), "\n") + "\n# of Ann\n"},
		{"a section of a list that was emptied elsewhere", file("      - variable: x\n        sections: [] # none\n\n", part("y", "c")), file(part("x", "a", "b", "d"), part("y", "c")),
			strings.NewReplacer("sections:\n          - id: d", "sections: # none\n          - id: d", "ordinal: 1", "ordinal: 5", "ordinal: 2", "ordinal: 6").Replace(file(part("x", "d")+"\n")) + part("y", "c")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Merge(parse(t, base), parse(t, tt.ours), parse(t, tt.theirs))
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Conflicts) > 0 {
				t.Errorf("conflicts: %v", m.Conflicts)
			}
			if string(m.Text) != tt.want {
				t.Errorf("want, got:\n%s", diff.Unified("want", []byte(tt.want), "got", m.Text))
			}
			// The other way round it means the same.
			back, err := Merge(parse(t, base), parse(t, tt.theirs), parse(t, tt.ours))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(tt.name, "same") {
				return // under the id of the other
			}
			if parse(t, string(back.Text)).Digest() != parse(t, string(m.Text)).Digest() {
				t.Errorf("the other way round:\n%s", diff.Unified("got", m.Text, "back", back.Text))
			}
		})
	}
}

// Where the layouts of both sides cannot be had together, that of ours stays, with the
// comments of theirs.
func TestMergeLayouts(t *testing.T) {
	curated, err := os.ReadFile("../../atomicity/testdata/curated.yaml")
	if err != nil {
		t.Fatal(err)
	}
	base := string(curated)
	change := func(do func(v *atomicity.Variable), more ...string) string {
		spec := parse(t, base)
		do(spec.Packages[0].Variable("Pool.free"))
		text, err := spec.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return strings.NewReplacer(more...).Replace(string(text))
	}
	added := change(func(v *atomicity.Variable) {
		s := v.Sections[0].Clone()
		s.ID, s.Function = "new", "New"
		v.Sections = append(v.Sections, s)
	}, "# no sections yet", "# Ann asks why")
	emptied := change(func(v *atomicity.Variable) { v.Sections = nil }, "# of the format", "# Bob: sure")
	var texts []string
	for _, sides := range [][2]string{{added, emptied}, {emptied, added}} {
		m, err := Merge(parse(t, base), parse(t, sides[0]), parse(t, sides[1]))
		if err != nil || len(m.Conflicts) > 0 {
			t.Fatal(err, m)
		}
		got := parse(t, string(m.Text))
		if left := got.Packages[0].Variable("Pool.free").Sections; len(left) != 1 || left[0].ID != "new" {
			t.Errorf("sections %v in\n%s", left, m.Text)
		}
		for _, comment := range []string{"# Ann asks why", "# Bob: sure"} {
			if strings.Count(string(m.Text), comment) != 1 {
				t.Errorf("%q is not there once:\n%s", comment, m.Text)
			}
		}
		texts = append(texts, got.Digest())
	}
	if texts[0] != texts[1] {
		t.Error("the sides cannot be exchanged")
	}
}

// A new section of theirs never takes the id that ours gave to another.
func TestMergeRenames(t *testing.T) {
	theirs := file(part("x", "a", "b", "F/x#1"), part("y", "c"))
	ours := strings.Replace(theirs, "F/x#1++", "other--", 2)
	m, err := Merge(parse(t, file(part("x", "a", "b"), part("y", "c"))), parse(t, ours), parse(t, theirs))
	if err != nil || len(m.Conflicts) > 0 {
		t.Fatal(err, m)
	}
	got := parse(t, string(m.Text))
	if a, b := got.Section("F/x#1"), got.Section("F/x#2"); a == nil || b == nil || a.Entry.Code != "other--" || b.Entry.Code != "F/x#1++" {
		t.Errorf("got\n%s", m.Text)
	}
}

func TestMergeConflicts(t *testing.T) {
	base := file(part("x", "a", "b"))
	rejected := file(part("x", "a", "b\nstatus: rejected\nreason: never mind"))
	tests := []struct{ name, ours, theirs, want string }{
		{"judged differently", rejected, file(part("x", "a", "b\nstatus: confirmed")),
			"atomicity.yaml:16:13: section b: ours has status: rejected, and theirs has status: confirmed"},
		{"changed and removed", rejected, file(part("x", "a")),
			"atomicity.yaml:16:13: section b: theirs has removed it, and ours has changed it"},
		{"remarked and removed", file(part("x", "a")), strings.Replace(base, "id: b", "id: b # by Ann", 1),
			"atomicity.yaml:16:13: section b: ours has removed it, and theirs has changed its comments"},
		{"allow", strings.Replace(base, "allow: [read]", "allow: [read, write]", 1), strings.Replace(base, "allow: [read]", "allow: []", 1),
			"atomicity.yaml:8:13: section a: ours has allow: {read, write}, and theirs has allow: {}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Merge(parse(t, base), parse(t, tt.ours), parse(t, tt.theirs))
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Conflicts) != 1 || m.Conflicts[0].String() != tt.want {
				t.Errorf("got %v\nwant %s", m.Conflicts, tt.want)
			}
			ours, theirs := sides(string(m.Text))
			if ours != tt.ours || theirs != tt.theirs {
				t.Errorf("both sides are not there:\n%s", m.Text)
			}
		})
	}
}

// sides takes one side of each conflict.
func sides(text string) (ours, theirs string) {
	in := ""
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "<<<<<<<"), strings.HasPrefix(line, "======="):
			in = line[:1]
		case strings.HasPrefix(line, ">>>>>>>"):
			in = ""
		default:
			if in != "=" {
				ours += line
			}
			if in != "<" {
				theirs += line
			}
		}
	}
	return ours, theirs
}

// What nobody said gives way when files without an origin are joined.
func TestMergeWithoutBase(t *testing.T) {
	ours := file(part("x", "a", "b\nstatus: confirmed"))
	theirs := file(part("x", "a\nstatus: rejected\nreason: r", "b\nstatus: candidate\nheal: lock"), part("y", "c"))
	m, err := Merge(nil, parse(t, ours), parse(t, theirs))
	if err != nil || len(m.Conflicts) > 0 {
		t.Fatal(err, m)
	}
	want := file(part("x", "a\nstatus: rejected\nreason: r", "b\nstatus: confirmed\nheal: lock"), part("y", "c"))
	if string(m.Text) != want {
		t.Errorf("want, got:\n%s", diff.Unified("want", []byte(want), "got", m.Text))
	}
	// A program's own report of what an analyzer found makes it nobody's section.
	reported := strings.NewReplacer("origin: loadstore", "origin: user", "pattern: load-and-store", "pattern: user").Replace(ours)
	for _, sides := range [][2]string{{ours, reported}, {reported, ours}} {
		if m, err := Merge(nil, parse(t, sides[0]), parse(t, sides[1])); err != nil || string(m.Text) != ours {
			t.Errorf("%v: want, got:\n%s", err, diff.Unified("want", []byte(ours), "got", m.Text))
		}
	}
	again, err := Merge(nil, parse(t, want), parse(t, theirs))
	if err != nil || string(again.Text) != want {
		t.Errorf("%v: merging again changes:\n%s", err, diff.Unified("want", []byte(want), "got", again.Text))
	}
}
