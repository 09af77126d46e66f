package atomicity

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// curated reads testdata/curated.yaml, which has a comment, a blank line or a
// peculiarity of style in every place where YAML permits one.
func curated(t testing.TB) (*Spec, string) {
	t.Helper()
	const file = "testdata/curated.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return spec, string(text)
}

func bytesOf(t testing.TB, s *Spec) string {
	t.Helper()
	text, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// difference returns the lines that differ, as - old and + new, by way of the
// longest common subsequence.
func difference(before, after string) string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	common := make([][]int, len(a)+1) // of a[i:] and b[j:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out, i = append(out, "-"+a[i]), i+1
		default:
			out, j = append(out, "+"+b[j]), j+1
		}
	}
	return strings.Join(out, "\n")
}

func TestUnchangedIsIdentical(t *testing.T) {
	spec, text := curated(t)
	if got := bytesOf(t, spec); got != text {
		t.Errorf("load and save changed the file:\n%s", difference(text, got))
	}
}

// Each edit changes the lines it must and no other.
func TestEditsLeaveTheRestAlone(t *testing.T) {
	const get, second, hits = "(*Pool).Get/Pool.free#1", "second", "hits"
	tests := []struct {
		name string
		edit func(s *Spec)
		want string
	}{
		{"a plain scalar with a comment behind it",
			func(s *Spec) { s.Section(get).Status = Candidate }, `
-          status: confirmed # by Ada
+          status: candidate # by Ada`},
		{"a line hint in brackets",
			func(s *Spec) { s.Section(get).Entry.Line = 33 }, `
-          entry: {access: read, code: "n := len(p.free)", ordinal: 1, line: 31} # entry line
+          entry: {access: read, code: "n := len(p.free)", ordinal: 1, line: 33} # entry line`},
		{"single quotes stay",
			func(s *Spec) { s.Packages[0].Path = "example.com/it's" }, `
-    - package: 'example.com/pool' # single quotes
+    - package: 'example.com/it''s' # single quotes`},
		{"a literal block becomes another",
			func(s *Spec) { s.Section(get).Note = "One\nTwo" }, `
-          note: |
-            First line of the note.
-
-              # not a comment
-            Last line.
+          note: |-
+            One
+            Two`},
		{"a field goes",
			func(s *Spec) { s.Section(get).Note = "" }, `
-          note: |
-            First line of the note.
-
-              # not a comment
-            Last line.`},
		{"a field comes",
			func(s *Spec) { s.Section(get).Heal = HealLock }, `
+          heal: lock`},
		{"the first field behind a dash goes",
			func(s *Spec) { s.Section(second).Entry.Line = 0; s.Section(second).Entry.Ordinal = 3 }, `
-            line: 12 # the line
+            ordinal: 3
+            # the line`},
		{"a shared text changes for one",
			func(s *Spec) { s.Section(second).Reason = "It is constant." }, `
-          reason: &startup >-
-            Only one goroutine
-            at start-up.
+          reason: "It is constant."
-           "origin": "loadstore", "status": "rejected", "reason": *startup}
+           "origin": "loadstore", "status": "rejected", "reason": "Only one goroutine at start-up."}`},
		{"a shared text changes for the other",
			func(s *Spec) { s.Section(hits).Reason = "It is a statistic." }, `
-           "origin": "loadstore", "status": "rejected", "reason": *startup}
+           "origin": "loadstore", "status": "rejected", "reason": "It is a statistic."}`},
		{"a list of modes in block style",
			func(s *Spec) { s.Section(second).Ends[0].Allow = Read }, `
-            allow:
-            - read # both
-            - write
+            allow: [read]`},
		{"an end in brackets",
			func(s *Spec) {
				hits := s.Section(hits)
				hits.Ends = append(hits.Ends, End{Location: Location{Access: Read, Ordinal: 7}, Allow: Read})
			}, `
-           "ends": [{"access": "write", "code": "hits++", "ordinal": 2, "line": 9, "allow": ["read"]}],
+           "ends": [{"access": "write", "code": "hits++", "ordinal": 2, "line": 9, "allow": ["read"]}, {access: read, ordinal: 7, allow: [read]}],`},
		{"a section joins others",
			func(s *Spec) {
				v := s.Package("example.com/pool").Variable("Pool.free")
				v.Sections = append(v.Sections, newSection("third", "Grow", "p.free", "p.free = x"))
			}, `
+        - id: third
+          pattern: load-and-store
+          function: Grow
+          entry: {access: read, code: "p.free", ordinal: 1}
+          ends:
+            - {access: write, code: "p.free = x", ordinal: 2, allow: [read]}
+          origin: loadstore
+          status: candidate
+`},
		{"a section joins an empty list",
			func(s *Spec) {
				v := s.Package("example.com/pool").Variable("Pool.closed")
				v.Sections = append(v.Sections, newSection("third", "Grow", "p.free", "p.free = x"))
			}, `
-        sections: [] # none
+        sections: # none
+          - id: third
+            pattern: load-and-store
+            function: Grow
+            entry: {access: read, code: "p.free", ordinal: 1}
+            ends:
+              - {access: write, code: "p.free = x", ordinal: 2, allow: [read]}
+            origin: loadstore
+            status: candidate`},
		{"a section goes with the comments that are its own",
			func(s *Spec) {
				v := s.Package("example.com/pool").Variable("Pool.free")
				v.Sections = v.Sections[1:]
			}, `
-        # head of the first section
-        - id: "(*Pool).Get/Pool.free#1"
-          # above pattern
-          pattern: test-and-use
-          function: (*Pool).Get
-          entry: {access: read, code: "n := len(p.free)", ordinal: 1, line: 31} # entry line
-          ends:
-            # before the end
-            - {access: write, code: 'p.free = p.free[:n-1]', ordinal: 4, line: 38, allow: [read]} # end line
-            # behind the end
-          origin: testuse
-          status: confirmed # by Ada
-          note: |
-            First line of the note.
-              # not a comment
-            Last line.
-          # foot of the first section
-
-          # and a remark after a blank line
-`},
		{"the last section goes",
			func(s *Spec) { s.Package("example.com/json").Variable("hits").Sections = nil }, `
-          {"id": "hits", "pattern": "load-and-store", "function": "count", # of hits
-           "entry": {"access": "read", "code": "hits++", "ordinal": 1, "line": 9},
-           "ends": [{"access": "write", "code": "hits++", "ordinal": 2, "line": 9, "allow": ["read"]}],
-           "origin": "loadstore", "status": "rejected", "reason": *startup}
+          `},
		{"a package joins",
			func(s *Spec) { s.Packages = append(s.Packages, &Package{Path: "example.com/new"}) }, `
+    - package: example.com/new
+      variables: []
+`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec, text := curated(t)
			tt.edit(spec)
			got := bytesOf(t, spec)
			if diff := difference(text, got); diff != strings.TrimPrefix(tt.want, "\n") {
				t.Errorf("changed lines:\n%s\nwant:%s", diff, tt.want)
			}
		})
	}
}

func newSection(id, function, entry, end string) *Section {
	return &Section{
		ID: id, Pattern: LoadAndStore, Function: function,
		Entry:  Location{Access: Read, Code: entry, Ordinal: 1},
		Ends:   []End{{Location: Location{Access: Write, Code: end, Ordinal: 2}, Allow: Read}},
		Origin: "loadstore", Status: Candidate,
	}
}

// Elements that change places take their comments along, and going back
// restores the file.
func TestReorder(t *testing.T) {
	spec, text := curated(t)
	sections := spec.Package("example.com/pool").Variable("Pool.free").Sections
	slices.Reverse(sections)
	swapped := bytesOf(t, spec)
	for _, pair := range [][2]string{
		{"# head of the second section", "# head of the first section"},
		{"id: second", "# head of the first section"},
		{"# under the last dash", "# head of the first section"},
		{"# and a remark after a blank line", "# between the variables"},
	} {
		if a, b := strings.Index(swapped, pair[0]), strings.Index(swapped, pair[1]); a < 0 || b < 0 || a > b {
			t.Errorf("%q at %d, %q at %d, want them in this order", pair[0], a, pair[1], b)
		}
	}
	slices.Reverse(sections)
	if got := bytesOf(t, spec); got != text {
		t.Errorf("there and back changed the file:\n%s", difference(text, got))
	}
}

// Windows line ends, a byte order mark and a missing last line break stay.
func TestLayoutOfLines(t *testing.T) {
	_, text := curated(t)
	text, _, _ = strings.Cut(text, "\n    # The youngest")
	for _, layout := range []struct{ name, text string }{
		{"CRLF", strings.ReplaceAll(text, "\n", "\r\n")},
		{"BOM", byteOrderMark + strings.TrimPrefix(text, "%YAML 1.1\n")},
		{"no last line break", strings.TrimRight(text, "\n")},
	} {
		t.Run(layout.name, func(t *testing.T) {
			spec, err := Parse("atomicity.yaml", []byte(layout.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := bytesOf(t, spec); got != layout.text {
				t.Errorf("unchanged, but saved as %q", got)
			}
			spec.Packages = append(spec.Packages, &Package{Path: "example.com/new"})
			got := bytesOf(t, spec)
			if strings.Count(got, "\r") != 0 && strings.Count(got, "\r\n") != strings.Count(got, "\n") {
				t.Errorf("mixed line ends in %q", got)
			}
			again, err := Parse("atomicity.yaml", []byte(strings.ReplaceAll(got, "\r\n", "\n")))
			if err != nil || again.Package("example.com/new") == nil {
				t.Errorf("added a package, read back %v", err)
			}
		})
	}
}

// A field that comes behind the last one of an element, while the list changes
// too, is not taken for one of the next element.
func TestFieldBehindTheLast(t *testing.T) {
	spec := inferred("F: 1 x++ -> 2 x++", "G: 1 x-- -> 2 x--")
	spec, err := Parse("atomicity.yaml", []byte(bytesOf(t, spec)))
	if err != nil {
		t.Fatal(err)
	}
	before := bytesOf(t, spec)
	v := spec.Packages[0].Variables[0]
	v.Sections[0].Note = "new"
	v.Sections = append(v.Sections, newSection("third", "H", "a", "b"))
	after := strings.Split(difference(before, bytesOf(t, spec)), "\n")
	if len(after) < 3 || after[0] != "+            note: new" || after[1] != "+          - id: third" {
		t.Errorf("got %s", strings.Join(after, "\n"))
	}
}

// What a person wrote behind a field stays when atomrace takes the field away.
func TestCommentsOfFieldsThatGo(t *testing.T) {
	for _, tt := range []struct{ name, section, want string }{
		{"behind it", "id: a\n            heal: lock # Ann: see 12\n", "id: a\n            # Ann: see 12\n"},
		{"behind it, and one at the margin below", "id: a\n            heal: lock # Ann\n# below\n", "id: a\n            # Ann\n# below\n"},
		{"only one at the margin below", "id: a\n            heal: lock\n# below\n", "id: a\n# below\n"},
		{"behind the dash", "heal: lock # Ann\n            # below\n            id: a\n", "# Ann\n            # below\n            id: a\n"},
		{"in brackets", "{heal: lock, # Ann\n            id: a", "{ # Ann\n            id: a"},
		{"in brackets, before it", "{id: a, # Ann\n            heal: lock", "{id: a # Ann\n            "},
		{"in brackets, in the middle", "{id: a, # Ann\n            heal: lock, # Bea\n            note: x", "{id: a # Ann\n            , # Bea\n            note: x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rest := "pattern: user\nfunction: F\nentry: {access: read, code: x}\nends: [{access: write, code: x, allow: []}]\norigin: user\nstatus: candidate\n"
			whole := func(section string) string {
				text := "version: 1\npackages:\n  - package: p\n    variables:\n      - variable: v\n        sections:\n          - " + section
				if strings.HasPrefix(section, "{") {
					return text + ", " + strings.ReplaceAll(strings.TrimSuffix(rest, "\n"), "\n", ", ") + "}\n"
				}
				return text + "            " + strings.ReplaceAll(strings.TrimSuffix(rest, "\n"), "\n", "\n            ") + "\n"
			}
			spec, err := Parse("f.yaml", []byte(whole(tt.section)))
			if err != nil {
				t.Fatal(err)
			}
			spec.Section("a").Heal = HealDefault
			if got := bytesOf(t, spec); got != whole(tt.want) {
				t.Errorf("got\n%s\nwant\n%s", got, whole(tt.want))
			}
			if _, err := Parse("f.yaml", []byte(whole(tt.want))); err != nil {
				t.Error(err)
			}
		})
	}
}
