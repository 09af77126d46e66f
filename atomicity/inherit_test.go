package atomicity

import (
	"fmt"
	"strings"
	"testing"
)

// Each thing that a person says counts from the nearest file that says it.
func TestInherit(t *testing.T) {
	read := func(name string, replace ...string) *Spec {
		spec, err := Parse(name, []byte(strings.NewReplacer(replace...).Replace(valid)))
		if err != nil {
			t.Fatal(err)
		}
		return spec
	}
	const candidate = "status: candidate"
	confirmed := "status: confirmed\n            reason: it is on the invoice\n            heal: lock\n            note: far"
	rejected := "status: rejected\n            reason: one goroutine"
	for _, test := range []struct {
		name      string
		near, far *Spec
		want      string // sections: id status reason heal note, code of the entry, files of entry and judgement
	}{
		{"nothing said near", read("near"), read("far", candidate, confirmed),
			"get confirmed it is on the invoice lock far; n := len(p.free); near far"},
		{"nothing said far", read("near", candidate, confirmed), read("far"),
			"get confirmed it is on the invoice lock far; n := len(p.free); near near"},
		{"each field for itself", read("near", candidate, candidate+"\n            heal: off"), read("far", candidate, confirmed),
			"get confirmed it is on the invoice off far; n := len(p.free); near far"},
		{"rejected near", read("near", candidate, rejected), read("far", candidate, confirmed),
			"get rejected one goroutine  far; n := len(p.free); near near"},
		{"rejected far", read("near"), read("far", candidate, rejected),
			"get rejected one goroutine  ; n := len(p.free); near far"},
		{"the same code under another id", read("near", "id: get", "id: other"), read("far", candidate, confirmed),
			"other confirmed it is on the invoice lock far; n := len(p.free); near far"},
		{"the same id with other code", read("near", "n := len", "m := len"), read("far", candidate, confirmed),
			"get confirmed it is on the invoice lock far; m := len(p.free); near far"},
		{"another function", read("near", "Get", "Take", "id: get", "id: take"), read("far", candidate, confirmed),
			"take candidate   ; n := len(p.free); near near\nget confirmed it is on the invoice lock far; n := len(p.free); far far"},
		{"another variable with the same id", read("near", "Pool.free", "Pool.busy"), read("far"),
			"get candidate   ; n := len(p.free); near near\nexample.com/pool/get candidate   ; n := len(p.free); far far"},
	} {
		spec := New()
		spec.Inherit("example.com/pool", test.near)
		spec.Inherit("example.com/pool", test.far)
		spec.Inherit("example.com/other", test.far)
		var got []string
		for p := range spec.All() {
			s := p.Section
			from, _ := spec.Source(s)
			judged, _ := spec.Judged(s)
			got = append(got, fmt.Sprintf("%s %s %s %s %s; %s; %s %s", s.ID, s.Status, s.Reason, s.Heal, s.Note, s.Entry.Code, from.File(), judged.File()))
			if at := spec.Position(s, "status"); at.File != from.File() || at.Line == 0 || at != from.Position(second(spec.Source(s)), "status") {
				t.Errorf("%s: the section is said to be at %v", test.name, at)
			}
		}
		if all := strings.Join(got, "\n"); all != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, all, test.want)
		}
		if spec.File() != "near" || len(spec.Packages) != 1 {
			t.Errorf("%s: from file %s, %d packages", test.name, spec.File(), len(spec.Packages))
		}
	}
}

func second(_ *Spec, s *Section) *Section { return s }
