package atomicity

import (
	"fmt"
	"strings"
	"testing"
)

// userSection is a file with one section that a person wrote: variable, with, function,
// entry and the ends, each "variable mode code".
func userSection(variable, with, function, entry string, ends ...string) string {
	location := func(text string) (on, rest string) {
		on, text, _ = strings.Cut(text, " ")
		mode, code, _ := strings.Cut(text, " ")
		return on, fmt.Sprintf("access: %s, code: %q", mode, code)
	}
	_, begin := location(entry)
	text := "version: 1\npackages:\n  - package: p\n    variables:\n      - variable: " + variable + "\n        sections:\n          - id: mine\n            pattern: user\n            function: " + function + "\n"
	if with != "" {
		text += "            with: [" + with + "] # belong together\n"
	}
	text += "            entry: {" + begin + "}\n            ends:\n"
	for _, end := range ends {
		on, rest := location(end)
		if on != variable {
			rest = "variable: " + on + ", " + rest
		}
		text += "              - {" + rest + ", allow: []}\n"
	}
	return text + "            origin: user\n            status: confirmed\n            note: \"one thing\"\n"
}

// What a person wrote follows its variables and its function by the code, and keeps every
// other word.
func TestFollowUser(t *testing.T) {
	set := func(entry string, ends ...string) string {
		return userSection("C.host", "C.port", "(*C).Set", entry, ends...)
	}
	old := set("C.host write c.host = host", "C.port write c.port = port")
	for _, tt := range []struct {
		name, old string
		now       []string // what there is: function variable mode code
		want      string   // replaced in old, pairs
	}{
		{"a member", old, []string{"(*C).Set C.host write c.host = host", "(*C).Set C.number write c.number = port"},
			"C.port|C.number|c.port = port|c.number = port"},
		{"a member, and the parameter with it", old, []string{"(*C).Set C.host write c.host = host", "(*C).Set C.number write c.number = number"},
			"C.port|C.number|c.port = port|c.number = number"},
		{"a member that may be in another file", old, []string{"(*C).Set C.host write c.host = host", "(*C).Set C.number write c.number = port", "also port"}, ""},
		{"a member that is still there", old, []string{"(*C).Set C.host write c.host = host", "(*C).Set C.number write c.number = port", "F C.port read c.port"}, ""},
		{"two that fit", old, []string{"(*C).Set C.host write c.host = host", "(*C).Set C.number write c.number = port", "(*C).Set C.other write c.other = port"}, ""},
		{"of another type", old, []string{"(*C).Set C.host write c.host = host", "(*C).Set D.number write c.number = port"}, ""},
		{"the first one", old, []string{"(*C).Set C.name write c.name = host", "(*C).Set C.port write c.port = port"},
			"C.host|C.name|c.host = host|c.name = host"},
		{"both", old, []string{"(*C).Set C.name write c.name = host", "(*C).Set C.number write c.number = port"},
			"C.host|C.name|c.host = host|c.name = host|C.port|C.number|c.port = port|c.number = port"},
		{"the method", old, []string{"(*C).Move C.host write c.host = host", "(*C).Move C.port write c.port = port"}, "(*C).Set|(*C).Move"},
		{"the method and a member", old, []string{"(*C).Move C.host write c.host = host", "(*C).Move C.number write c.number = port"}, ""},
		{"one statement with both", set("C.host write c.host, c.port = host, port", "C.port write c.host, c.port = host, port"),
			[]string{"(*C).Set C.host write c.host, c.number = host, port", "(*C).Set C.number write c.host, c.number = host, port"},
			"C.port|C.number|c.host, c.port = host, port|c.host, c.number = host, port"},
		// Any field is set to 0 like that.
		{"nothing telling", set("C.host write c.host = nil", "C.port write c.port = 0"), []string{"(*C).Set C.host write c.host = nil", "(*C).Set C.number write c.number = 0"}, ""},
		{"nothing telling, but the name alike", set("C.host write c.host = nil", "C.port write c.port = 0"), []string{"(*C).Set C.host write c.host = nil", "(*C).Set C.ports write c.ports = 0"},
			"C.port|C.ports|c.port = 0|c.ports = 0"},
		{"nothing telling, but twice", set("C.host write c.host = nil", "C.port write c.port = 0", "C.port write c.port++"),
			[]string{"(*C).Set C.host write c.host = nil", "(*C).Set C.number write c.number = 0", "(*C).Set C.number write c.number++"},
			"C.port|C.number|c.port = 0|c.number = 0|c.port++|c.number++"},
		{"a path that tells nothing", set("C.host write c.host = nil", "C.at.port write c.at.port++"), []string{"(*C).Set C.host write c.host = nil", "(*C).Set C.at.number write c.at.number++"}, ""},
		{"edited", old, []string{"(*C).Set C.host write c.host = host", "(*C).Set C.number write c.number = int(port)"}, ""},
		{"a single variable", userSection("C.n", "", "F", "C.n read x := c.n", "C.n write c.n = x + 1"), []string{"F C.m read x := c.m", "F C.m write c.m = x + 1"}, "C.n|C.m|c.n|c.m"},
		{"a function", userSection("C.n", "", "F", "C.n read x := c.n", "C.n write c.n = x + 1"), []string{"G C.n read x := c.n", "G C.n write c.n = x + 1"}, "function: F|function: G"},
		{"a function whose code two have", userSection("C.n", "", "F", "C.n read x := c.n", "C.n write c.n = x + 1"),
			[]string{"G C.n read x := c.n", "G C.n write c.n = x + 1", "H C.n read x := c.n", "H C.n write c.n = x + 1"}, ""},
		{"a function with half of it", userSection("C.n", "", "F", "C.n read x := c.n", "C.n write c.n = x + 1"), []string{"G C.n read x := c.n"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := strings.ReplaceAll(tt.old, "[C.port]", "[ C.port ]") // as a person may write it
			if strings.Contains(tt.old, "C.at.port") {
				before = strings.Replace(before, "[ C.port ]", "[ C.at.port ]", 1)
			}
			spec, err := Parse("atomicity.yaml", []byte(before))
			if err != nil {
				t.Fatal(err)
			}
			names := &Names{Functions: map[string]bool{}, Variables: map[string]bool{}, Types: map[string]bool{"C": true, "D": true}, Others: map[string]bool{}}
			for _, text := range tt.now {
				word := strings.Fields(text)
				if word[0] == "also" {
					names.Others[word[1]] = true
					continue
				}
				names.Functions[word[0]], names.Variables[word[1]] = true, true
			}
			names.Accesses = func(function, variable string) []Location {
				var list []Location
				for _, text := range tt.now {
					if rest, ok := strings.CutPrefix(text, function+" "+variable+" "); ok {
						mode, code, _ := strings.Cut(rest, " ")
						list = append(list, Location{Access: map[string]AccessSet{"read": Read, "write": Write}[mode], Code: code, Ordinal: len(list) + 1, Line: 7})
					}
				}
				return list
			}
			now := &Spec{Version: Version, Packages: []*Package{{Path: "p"}}}
			moves := spec.Follow(now, Code{Packages: map[string]*Names{"p": names}})
			want := before
			if tt.want != "" {
				want = strings.NewReplacer(strings.Split(tt.want, "|")...).Replace(before)
			}
			if got := bytesOf(t, spec); got != want || (len(moves) > 0) != (tt.want != "") {
				t.Errorf("%v\n%s", moves, difference(want, got))
			}
			if again := spec.Follow(now, Code{Packages: map[string]*Names{"p": names}}); len(again) > 0 {
				t.Errorf("a second time: %v", again)
			}
		})
	}
}

// The section over the new name that was inferred tells what a statement alone does not.
func TestFollowInferredSet(t *testing.T) {
	one := func(member string) *Spec {
		return &Spec{Version: Version, Packages: []*Package{{Path: "p", Variables: []*Variable{{Name: "L.sum", Sections: []*Section{{
			ID: "s", Pattern: LoadAndStore, Function: "(*L).Observe", With: []string{"L." + member}, Origin: "multivar", Status: Candidate,
			Entry: location(Read, "1 l.sum += ms"),
			Ends:  []End{{Variable: "L." + member, Location: location(Write, "2 l."+member+"++"), Also: []string{"read L." + member}}},
		}}}}}}}
	}
	spec, err := Parse("atomicity.yaml", []byte(bytesOf(t, one("count"))))
	if err != nil {
		t.Fatal(err)
	}
	names := &Names{Functions: map[string]bool{"(*L).Observe": true}, Variables: map[string]bool{"L.sum": true, "L.total": true, "L.last": true}, Types: map[string]bool{"L": true}}
	now := one("total")
	if moves := spec.Follow(now, Code{Packages: map[string]*Names{"p": names}}); len(moves) != 1 || moves[0] != (Move{"s", "variable", "L.count", "L.total"}) {
		t.Errorf("%v", moves)
	}
	if r := spec.Merge(now); len(r.Added)+len(r.Stale) > 0 {
		t.Errorf("%+v", r)
	}
	if got, want := difference(bytesOf(t, one("total")), bytesOf(t, spec)), ""; got != want {
		t.Error(got)
	}
}
