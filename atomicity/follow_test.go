package atomicity

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// program returns a Spec of package p with sections written
// variable function: entry-ordinal code -> end-ordinal code,
// and the names that there are, but for those in gone.
func program(lines ...string) (*Spec, Code) {
	names := &Names{Functions: map[string]bool{}, Variables: map[string]bool{}, Types: map[string]bool{}, Others: map[string]bool{}}
	p := &Package{Path: "p"}
	for i, text := range lines {
		place, rest, _ := strings.Cut(text, ": ")
		variable, function, _ := strings.Cut(place, " ")
		entry, end, _ := strings.Cut(rest, " -> ")
		v := p.Variable(variable)
		if v == nil {
			v = &Variable{Name: variable, Type: "int"}
			p.Variables = append(p.Variables, v)
		}
		v.Sections = append(v.Sections, &Section{
			ID: fmt.Sprint("s", i+1), Pattern: LoadAndStore, Function: function, Origin: "loadstore", Status: Candidate,
			Entry: location(Read, entry), Ends: []End{{Location: location(Write, end), Allow: Read}},
		})
		names.Functions[function], names.Variables[variable] = true, true
		names.Types[typeOf(variable)], names.Types[typeOf(function)] = true, true
	}
	return &Spec{Version: Version, Packages: []*Package{p}}, Code{Packages: map[string]*Names{"p": names}}
}

func TestFollow(t *testing.T) {
	get := "T.n (*T).Get: 1 n := t.n -> 2 t.n = n + 1"
	tests := []struct {
		name     string
		old, now []string
		also     []string // names that are still there
		want     string
	}{
		{"nothing renamed", []string{get}, []string{get}, nil, ""},
		{"a method", []string{get}, []string{"T.n (*T).Take: 3 n := t.n -> 4 t.n = n + 1"}, nil, "s1 function (*T).Get (*T).Take"},
		{"a method that is still there", []string{get}, []string{"T.n (*T).Take: 1 n := t.n -> 2 t.n = n + 1"}, []string{"(*T).Get"}, ""},
		{"a method that may be in another file", []string{get}, []string{"T.n (*T).Take: 1 n := t.n -> 2 t.n = n + 1"}, []string{"Get"}, ""},
		{"two that fit", []string{get}, []string{"T.n (*T).A: 1 n := t.n -> 2 t.n = n + 1", "T.n (*T).B: 1 n := t.n -> 2 t.n = n + 1"}, nil, ""},
		{"two that are gone", []string{get, "T.n (*T).Put: 1 n := t.n -> 2 t.n = n + 1"}, []string{"T.n (*T).Take: 1 n := t.n -> 2 t.n = n + 1"}, nil, ""},
		{"two that changed places", []string{get, "T.n (*T).Put: 1 m := t.n -> 2 t.n = m - 1"},
			[]string{"T.n (*T).Drop: 1 m := t.n -> 2 t.n = m - 1", "T.n (*T).Take: 1 n := t.n -> 2 t.n = n + 1"}, nil,
			"s1 function (*T).Get (*T).Take, s2 function (*T).Put (*T).Drop"},
		{"one that had sections before", []string{get, "T.n (*T).Take: 1 t.n++ -> 2 t.n++"},
			[]string{"T.n (*T).Take: 1 t.n++ -> 2 t.n++", "T.n (*T).Take: 3 n := t.n -> 4 t.n = n + 1"}, nil, ""},
		{"one statement, another name", []string{"T.n (*T).Hit: 1 t.n++ -> 2 t.n++"}, []string{"T.n (*T).Done: 1 t.n++ -> 2 t.n++"}, nil, ""},
		{"one statement, the name alike", []string{"T.n (*T).addHit: 1 t.n++ -> 2 t.n++"}, []string{"T.n (*T).addHits: 1 t.n++ -> 2 t.n++"}, nil, "s1 function (*T).addHit (*T).addHits"},
		{"one statement, another receiver", []string{"T.n T.Hit: 1 t.n++ -> 2 t.n++"}, []string{"T.n (*T).Hit: 1 t.n++ -> 2 t.n++"}, []string{"T"}, "s1 function T.Hit (*T).Hit"},
		{"half of the sections edited", []string{get, "T.m (*T).Get: 1 t.m++ -> 2 t.m++"}, []string{"T.n (*T).Take: 1 n := t.n -> 2 t.n = n + 1"}, nil,
			"s1 function (*T).Get (*T).Take, s2 function (*T).Get (*T).Take"},
		{"most of the sections edited", []string{get, "T.m (*T).Get: 1 t.m++ -> 2 t.m++", "T.m (*T).Get: 3 t.m-- -> 4 t.m--"}, []string{"T.n (*T).Take: 1 n := t.n -> 2 t.n = n + 1"}, nil, ""},
		{"a captured local", []string{"F.n F: 1 m := n -> 2 n = m + 1"}, []string{"G.n G: 1 m := n -> 2 n = m + 1"}, nil, "s1 function F G"},
		{"a field", []string{get, "T.n (*T).Hit: 1 t.n++ -> 2 t.n++"}, []string{"T.count (*T).Get: 1 n := t.count -> 2 t.count = n + 1", "T.count (*T).Hit: 1 t.count++ -> 2 t.count++"}, nil,
			"s1 variable T.n T.count, s2 variable T.n T.count"},
		{"a field that is still there", []string{get}, []string{"T.count (*T).Get: 1 n := t.count -> 2 t.count = n + 1"}, []string{"T.n"}, ""},
		{"a field, and edited", []string{get}, []string{"T.count (*T).Get: 3 n := t.count -> 4 t.count = n + 1"}, nil, ""},
		{"two fields of one statement", []string{"T.a F: 1 t.a = t.a + t.b -> 2 t.a = t.a + t.b", "T.b F: 1 if t.b < t.a -> 2 t.b = t.a"},
			[]string{"T.c F: 1 t.c = t.c + t.d -> 2 t.c = t.c + t.d", "T.d F: 1 if t.d < t.c -> 2 t.d = t.c"}, nil, "s1 variable T.a T.c, s2 variable T.b T.d"},
		{"two fields of one statement, which one is not told", []string{"T.a F: 1 t.a, t.b = t.b, t.a -> 2 t.a, t.b = t.b, t.a"},
			[]string{"T.c F: 1 t.c, t.d = t.d, t.c -> 2 t.c, t.d = t.d, t.c"}, nil, ""},
		{"two fields, and another operator", []string{"T.a F: 1 t.a = t.a + t.b -> 2 t.a = t.a + t.b", "T.b F: 1 t.b++ -> 2 t.b++"},
			[]string{"T.c F: 1 t.c = t.c - t.d -> 2 t.c = t.c - t.d", "T.d F: 1 t.d-- -> 2 t.d--"}, nil, ""},
		{"two fields", []string{get}, []string{"T.a (*T).Get: 1 n := t.a -> 2 t.a = n + 1", "T.b (*T).Get: 1 n := t.b -> 2 t.b = n + 1"}, nil, ""},
		{"a field of another type of the same shape", []string{get}, []string{"U.n (*U).Take: 1 n := t.n -> 2 t.n = n + 1"}, nil, ""},
		{"a field of a part that is embedded", []string{get, "T.m (*T).Hit: 1 t.m++ -> 2 t.m++"}, []string{"common.n (*T).Get: 1 n := t.n -> 2 t.n = n + 1", "common.m (*T).Hit: 1 t.m++ -> 2 t.m++"}, []string{"T"},
			"s1 variable T.n common.n, s2 variable T.m common.m"},
		{"a field of a part that two types embed", []string{get, "U.n (*U).Get: 1 n := u.n -> 2 u.n = n + 1"}, []string{"common.n (*T).Get: 1 n := t.n -> 2 t.n = n + 1", "common.n (*U).Get: 1 n := u.n -> 2 u.n = n + 1"}, []string{"T", "U"}, ""},
		{"a field of another type, of the same name", []string{get}, []string{"U.n (*T).Get: 1 n := t.u.n -> 2 t.u.n = n + 1"}, []string{"T"}, ""},
		{"a type", []string{get, "T.m (*T).Hit: 1 t.m++ -> 2 t.m++"}, []string{"Cache.m (*Cache).Hit: 1 t.m++ -> 2 t.m++", "Cache.n (*Cache).Get: 1 n := t.n -> 2 t.n = n + 1"}, nil,
			"s1 type T Cache, s2 type T Cache"},
		{"a type that is still there", []string{get}, []string{"U.n (*U).Get: 1 n := t.n -> 2 t.n = n + 1"}, []string{"T"}, ""},
		{"two types", []string{get}, []string{"U.n (*U).Get: 1 n := t.n -> 2 t.n = n + 1", "V.n (*V).Get: 1 n := t.n -> 2 t.n = n + 1"}, nil, ""},
		{"a package-level variable", []string{"hits F: 1 hits++ -> 2 hits++"}, []string{"count F: 1 count++ -> 2 count++"}, nil, "s1 variable hits count"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec, _ := program(tt.old...)
			// A person has written into the file.
			for p := range spec.All() {
				p.Section.Status, p.Section.Note = Confirmed, "note of "+p.Section.ID
			}
			spec, err := Parse("atomicity.yaml", []byte(bytesOf(t, spec)))
			if err != nil {
				t.Fatal(err)
			}
			now, code := program(tt.now...)
			for _, name := range tt.also {
				n := code.Packages["p"]
				n.Functions[name], n.Variables[name], n.Types[name], n.Others[name] = true, true, true, true
			}
			var got []string
			for _, m := range spec.Follow(now, code) {
				got = append(got, fmt.Sprintf("%s %s %s %s", m.ID, m.What, m.From, m.To))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), tt.want)
			}
			if again := spec.Follow(now, code); len(again) > 0 && len(got) == 0 {
				t.Errorf("a second time: %v", again)
			}
			r := spec.Merge(now)
			for i := range tt.old {
				id := fmt.Sprint("s", i+1)
				followed := slices.ContainsFunc(got, func(m string) bool { return strings.HasPrefix(m, id+" ") })
				if s := spec.Section(id); s == nil || s.Note != "note of "+id || s.Status != Confirmed {
					t.Errorf("%s lost a person's words: %+v", id, s)
				}
				if len(got) > 0 && !followed && tt.want != "" {
					t.Errorf("%s was left behind", id)
				}
			}
			if tt.want != "" && len(r.Added) > 0 {
				t.Errorf("added again: %v", r.Added)
			}
			bytesOf(t, spec)
		})
	}
}

// A package that moved takes everything with it; what a person laid out stays.
func TestFollowPackage(t *testing.T) {
	old, _ := program("T.n (*T).Get: 1 n := t.n -> 2 t.n = n + 1", "T.n (*T).Hit: 1 t.n++ -> 2 t.n++")
	before := bytesOf(t, old)
	spec, err := Parse("atomicity.yaml", []byte(before))
	if err != nil {
		t.Fatal(err)
	}
	now, code := program("T.n (*T).Get: 1 n := t.n -> 2 t.n = n + 1", "T.n (*T).Hit: 1 t.n++ -> 2 t.n++")
	now.Packages[0].Path = "internal/p"
	code.Packages = map[string]*Names{"internal/p": code.Packages["p"]}
	if moves := spec.Follow(now, code); len(moves) > 0 {
		t.Fatalf("the package is still there: %v", moves)
	}
	code.Gone = map[string]bool{"p": true}
	if moves := spec.Follow(now, code); len(moves) != 2 || moves[0] != (Move{"s1", "package", "p", "internal/p"}) {
		t.Errorf("got %v", moves)
	}
	if got, want := difference(before, bytesOf(t, spec)), "-  - package: p\n+  - package: internal/p"; got != want {
		t.Errorf("changed:\n%s", got)
	}
}
