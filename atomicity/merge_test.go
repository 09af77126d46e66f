package atomicity

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// inferred returns what an analyzer finds in one variable x of package p. A
// section is written function: entry-ordinal code -> end-ordinal code.
func inferred(lines ...string) *Spec {
	v := &Variable{Name: "x", Type: "int"}
	for i, text := range lines {
		function, rest, _ := strings.Cut(text, ": ")
		entry, ends, _ := strings.Cut(rest, " -> ")
		s := &Section{Pattern: LoadAndStore, Function: function, Origin: "loadstore", Status: Candidate, Entry: location(Read, entry)}
		for end := range strings.SplitSeq(ends, " | ") {
			s.Ends = append(s.Ends, End{Location: location(Write, end), Allow: Read})
		}
		s.ID = SectionID(function, "x", i+1)
		v.Sections = append(v.Sections, s)
	}
	return &Spec{Version: Version, Packages: []*Package{{Path: "p", Variables: []*Variable{v}}}}
}

func location(mode AccessSet, text string) Location {
	l := Location{Access: mode}
	fmt.Sscan(text, &l.Ordinal)
	_, l.Code, _ = strings.Cut(text, " ")
	l.Line = 10 * l.Ordinal
	return l
}

func show(r MergeReport) string {
	return fmt.Sprintf("added %v kept %v updated %v stale %v", r.Added, r.Kept, r.Updated, r.Stale)
}

func TestMergeFollowsSections(t *testing.T) {
	old := []string{"F: 1 x++ -> 2 x++", "F: 3 y := x -> 4 x = y + 1"}
	tests := []struct {
		name string
		now  []string
		want string
	}{
		{"the same", old, "added [] kept [F/x#1 F/x#2] updated [] stale []"},
		{"another order", []string{old[1], old[0]}, "added [] kept [F/x#1 F/x#2] updated [] stale []"},
		{"an access before both", []string{"F: 2 x++ -> 3 x++", "F: 4 y := x -> 5 x = y + 1"},
			"added [] kept [] updated [F/x#1 F/x#2] stale []"},
		{"changed places", []string{"F: 1 y := x -> 2 x = y + 1", "F: 3 x++ -> 4 x++"},
			"added [] kept [] updated [F/x#1 F/x#2] stale []"},
		{"an end edited", []string{old[0], "F: 3 y := x -> 4 x = min(y, 9)"}, "added [] kept [F/x#1] updated [F/x#2] stale []"},
		{"a local renamed", []string{old[0], "F: 3 z := x -> 4 x = z + 1"}, "added [] kept [F/x#1] updated [F/x#2] stale []"},
		{"another end", []string{old[0], "F: 3 y := x -> 4 x = y + 1 | 5 x = 0"}, "added [] kept [F/x#1] updated [F/x#2] stale []"},
		{"computed otherwise", []string{"F: 1 x = (x + 1) % limit -> 2 x = (x + 1) % limit", old[1]}, "added [] kept [F/x#2] updated [F/x#1] stale []"},
		{"computed otherwise, elsewhere", []string{"F: 3 x = (x + 1) % limit -> 4 x = (x + 1) % limit", "F: 1 y := x -> 2 x = y + 1"}, "added [F/x#3] kept [] updated [F/x#2] stale [F/x#1]"},
		{"computed from something else", []string{"F: 1 y.x = f(x, z.y.x) -> 2 y.x = f(x, z.y.x)", old[1]}, "added [F/x#3] kept [F/x#2] updated [] stale [F/x#1]"},
		{"set, and not computed", []string{"F: 1 x = total() - 1 -> 2 x = total() - 1", old[1]}, "added [F/x#3] kept [F/x#2] updated [] stale [F/x#1]"},
		{"gone", old[:1], "added [] kept [F/x#1] updated [] stale [F/x#2]"},
		{"something else in its place", []string{old[0], "F: 3 if x > limit { -> 4 x, full = 0, true"},
			"added [F/x#3] kept [F/x#1] updated [] stale [F/x#2]"},
		{"one more of the same code", append(slices.Clone(old), "F: 5 x++ -> 6 x++"), "added [F/x#3] kept [F/x#1 F/x#2] updated [] stale []"},
		{"another function", []string{old[0], old[1], "G: 1 x++ -> 2 x++"}, "added [G/x#3] kept [F/x#1 F/x#2] updated [] stale []"},
		{"all gone", nil, "added [] kept [] updated [] stale [F/x#1 F/x#2]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec := inferred(old...)
			if got := show(spec.Merge(inferred(tt.now...))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			text := bytesOf(t, spec)
			again := spec.Merge(inferred(tt.now...))
			if len(again.Added) > 0 || len(again.Updated) > 0 || bytesOf(t, spec) != text {
				t.Errorf("the second merge changed something: %s", show(again))
			}
		})
	}
}

// A section that a person wrote before any analyzer found it is not added once more;
// nor are two sections, of which one is inferred, ever taken for one by less than all of
// their code. What a person wrote keeps its spelling.
func TestMergeFindsWhatAPersonWrote(t *testing.T) {
	for _, tt := range []struct{ mine, now, want string }{
		{"F: 3 y := x[:n-1] -> 4 x = y", "F: 3 y := x[:n - 1] -> 4 x = y", "added [] kept [mine] updated [] stale []"},
		{"F: 0 y := x[:n-1] -> 0 x = y", "F: 7 y := x[:n - 1] -> 8 x = y", "added [] kept [] updated [mine] stale []"},
		{"F: 3 y := x -> 4 x = y", "F: 3 y := x -> 4 x = y+1", "added [F/x#1] kept [] updated [] stale []"},
		{"F: 3 y := x -> 4 x = y", "F: 3 y := x -> 4 x = y | 5 x = 0", "added [F/x#1] kept [] updated [] stale []"},
		{"F: 3 y := x -> 4 x = y", "G: 3 y := x -> 4 x = y", "added [G/x#1] kept [] updated [] stale []"},
	} {
		spec := inferred(tt.mine)
		s := spec.Packages[0].Variables[0].Sections[0]
		s.ID, s.Pattern, s.Origin = "mine", User, string(User)
		s.Entry.Line, s.Ends[0].Line = 30, 40
		code, now := s.Entry.Code, inferred(tt.now)
		now.Packages[0].Variables[0].Sections[0].Entry.Line = 30
		now.Packages[0].Variables[0].Sections[0].Ends[0].Line = 40 + s.Entry.Ordinal - 3
		if got := show(spec.Merge(now)); got != tt.want || s.Pattern != User || s.Entry.Code != code {
			t.Errorf("%s, now %s:\ngot  %s, and is %+v\nwant %s", tt.mine, tt.now, got, s, tt.want)
		}
	}
}

// What a person wrote stays, whatever happens to the code.
// What is not found again is marked, and loses the mark when it comes back; a mark
// that says more stays, and what a person wrote has none.
func TestMergeMarksStale(t *testing.T) {
	both := []string{"F: 1 x++ -> 2 x++", "F: 3 x-- -> 4 x--"}
	spec := inferred(both...)
	spec.Section("F/x#2").Origin = string(User)
	marks := func() string { return fmt.Sprint(spec.Section("F/x#1").Stale, "|", spec.Section("F/x#2").Stale) }
	none := inferred()
	none.Packages = []*Package{{Path: "p"}}
	for _, step := range []struct {
		now  *Spec
		gone Staleness // what somebody else finds out about the first afterwards
		want string
	}{
		{none, Gone, "not-inferred|"}, {none, Gone, "gone|"}, {New(), Gone, "gone|"}, {inferred(both...), NotStale, "|"}, {inferred(both...), NotStale, "|"},
	} {
		spec.Merge(step.now)
		if got := marks(); got != step.want {
			t.Errorf("marked %s, want %s", got, step.want)
		}
		spec.Section("F/x#1").Stale = step.gone
	}
	// An id that another file has given away is not given again.
	more := inferred(append(both, "F: 5 x++ -> 6 x++")...)
	if r := spec.Merge(more, "F/x#3", "F/x#4"); fmt.Sprint(r.Added) != "[F/x#5]" {
		t.Errorf("added %v", r.Added)
	}
}

func TestMergeKeepsAPersonsWords(t *testing.T) {
	spec := inferred("F: 1 x++ -> 2 x++", "F: 3 x-- -> 4 x--")
	text := bytesOf(t, spec)
	text = strings.Replace(text, "          - id: F/x#1", "          # Bob's\n          - id: bob", 1)
	text = strings.Replace(text, "status: candidate", "status: rejected # sic\n            reason: 'a statistic'\n            heal: off\n\n            note: ask Bob", 1)
	text = strings.Replace(text, "allow: [read]", "allow: [ read,write ]", 1)
	spec, err := Parse("atomicity.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	report := spec.Merge(inferred("F: 7 x++ -> 8 x++", "F: 3 x-- -> 4 x--"))
	if got, want := show(report), "added [] kept [F/x#2] updated [bob] stale []"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want := strings.NewReplacer("ordinal: 1, line: 10", "ordinal: 7, line: 70", "ordinal: 2, line: 20", "ordinal: 8, line: 80").Replace(text)
	if got := bytesOf(t, spec); got != want {
		t.Errorf("not only the hints changed:\n%s", difference(want, got))
	}
}

// New entries stand behind the old ones, sorted, whatever the order in which
// they were inferred; their ids are unique in the whole file.
func TestMergeAdds(t *testing.T) {
	spec := inferred("F: 1 x++ -> 2 x++")
	more := inferred("H: 1 x++ -> 2 x++", "G: 3 x-- -> 4 x--", "F: 1 x++ -> 2 x++", "G: 1 x++ -> 2 x++")
	for _, s := range more.Packages[0].Variables[0].Sections {
		s.ID = ""
	}
	more.Packages[0].Variables = append(more.Packages[0].Variables, &Variable{Name: "z"}, &Variable{Name: "w"})
	other := inferred("F: 1 x++ -> 2 x++").Packages[0]
	other.Path = "a/p"
	more.Packages = append(more.Packages, &Package{Path: "no/variables"}, other)
	if got, want := show(spec.Merge(more)), "added [G/x#1 G/x#2 H/x#1 F/x#2] kept [F/x#1] updated [] stale []"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var order []string
	for _, p := range spec.Packages {
		for _, v := range p.Variables {
			order = append(order, p.Path+"."+v.Name)
			for _, s := range v.Sections {
				order = append(order, fmt.Sprint(s.ID, " ", s.Entry.Ordinal))
			}
		}
	}
	if got, want := strings.Join(order, ", "), "p.x, F/x#1 1, G/x#1 1, G/x#2 3, H/x#1 1, p.w, p.z, a/p.x, F/x#2 1"; got != want {
		t.Errorf("order %s\nwant  %s", got, want)
	}
	if other.Variables[0].Sections[0].ID != "F/x#1" {
		t.Error("merge changed what was inferred")
	}
}

// Sections of packages that were not analysed, and those a person wrote, do
// not become stale; locations a person left open stay open.
func TestMergeLeavesOthersAlone(t *testing.T) {
	spec := inferred("F: 1 x++ -> 2 x++", "G: 1 x++ -> 2 x++")
	mine := spec.Section("G/x#2")
	mine.Origin, mine.Entry.Ordinal, mine.Ends[0].Code = string(User), 0, ""
	if r := spec.Merge(New()); len(r.Stale) != 0 {
		t.Errorf("stale without analysis: %v", r.Stale)
	}
	r := spec.Merge(inferred())
	if got, want := show(r), "added [] kept [] updated [] stale [F/x#1]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r = spec.Merge(inferred("G: 3 x++ -> 2 x += 1"))
	if got, want := show(r), "added [] kept [] updated [G/x#2] stale [F/x#1]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if mine.Entry != (Location{Access: Read, Code: "x++", Line: 30}) || mine.Ends[0].Code != "" {
		t.Errorf("a person's locations became %+v", mine)
	}
}

// Merging into the file that has everything changes the lines it must.
func TestMergeIntoCurated(t *testing.T) {
	spec, text := curated(t)
	found, _ := curated(t)
	found.Section("hits").Entry.Line = 19
	found.Packages[0].Variables[1].Sections = []*Section{newSection("", "Close", "p.closed", "p.closed = true")}
	report := spec.Merge(found)
	if got, want := show(report), "added [Close/Pool.closed#1] kept [(*Pool).Get/Pool.free#1 second] updated [hits] stale []"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	const want = `-        sections: [] # none
+        sections: # none
+          - id: Close/Pool.closed#1
+            pattern: load-and-store
+            function: Close
+            entry: {access: read, code: "p.closed", ordinal: 1}
+            ends:
+              - {access: write, code: "p.closed = true", ordinal: 2, allow: [read]}
+            origin: loadstore
+            status: candidate
-           "entry": {"access": "read", "code": "hits++", "ordinal": 1, "line": 9},
+           "entry": {"access": "read", "code": "hits++", "ordinal": 1, "line": 19},`
	if diff := difference(text, bytesOf(t, spec)); diff != want {
		t.Errorf("changed lines:\n%s\nwant:\n%s", diff, want)
	}
}
